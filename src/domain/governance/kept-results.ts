/** The port to results kept for retries: the same idempotency key gives the same answer for a day. */
import type { PrincipalId } from '../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';

export const KEEP_RESULTS_MS = 24 * 60 * 60 * 1000;

export interface ResultKey {
  readonly principal: PrincipalId;
  readonly tool: string;
  readonly key: string;
}

export interface KeptResult {
  readonly inputDigest: string;
  /** The structured result as JSON. */
  readonly result: string;
  readonly at: number;
}

export interface KeptResults {
  find(scope: ReadScope, key: ResultKey): Promise<KeptResult | undefined>;
  /** Replaces an older one under the same key and drops all from before `expired`. */
  keep(tx: WriteTx, key: ResultKey, result: KeptResult, expired: number): Promise<void>;
}
