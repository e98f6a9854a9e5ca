/** The port to what is known of blobs that nothing refers to: since when. A row is also what two that want the same blob wait at. */
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';

export interface IdleBlobs {
  /** They are wanted: before anybody asks whether they are there. */
  claim(tx: WriteTx, digests: readonly string[]): Promise<void>;
  all(scope: ReadScope): Promise<ReadonlyMap<string, number>>;
  /** Those that were known already keep their time. */
  note(tx: WriteTx, digests: readonly string[], since: number): Promise<void>;
  /** True when it was idle since then or longer; from now on it is not noted any more. */
  take(tx: WriteTx, digest: string, since: number): Promise<boolean>;
}
