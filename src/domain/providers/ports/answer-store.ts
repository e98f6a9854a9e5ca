/** The port to answers that were too long to be given whole: what they are made of and whose they are. */
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';

export interface AnswerPart {
  readonly name: string;
  readonly mimeType: string;
  /** Of its blob, which is sealed. */
  readonly digest: string;
  readonly bytes: number;
}

export interface KeptAnswer {
  /** The call that was answered. */
  readonly id: string;
  /** For whom it was kept, and nobody else. */
  readonly principal: string;
  readonly provider: string;
  readonly tool: string;
  readonly parts: readonly AnswerPart[];
  readonly bytes: number;
  readonly createdAt: number;
}

export interface AnswerBounds {
  /** What is older goes. */
  readonly before: number;
  readonly perPrincipal: number;
  readonly bytesInAll: number;
}

export interface AnswerStore {
  put(tx: WriteTx, answer: KeptAnswer): Promise<void>;
  find(scope: ReadScope, id: string): Promise<KeptAnswer | undefined>;
  /** Takes away what is beyond the bounds, the oldest first; the digests of its blobs. */
  trim(tx: WriteTx, bounds: AnswerBounds): Promise<readonly string[]>;
  /** Of one provider. */
  usage(scope: ReadScope, provider: string): Promise<{ readonly answers: number; readonly bytes: number }>;
}
