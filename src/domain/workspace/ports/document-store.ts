/** The port to where documents and block indexes are kept. */
import type { PageId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { BlockEntry } from '../block-index.ts';
import type { StoredDocument } from './text-documents.ts';

export interface DocumentStore {
  load(scope: ReadScope, page: PageId): Promise<StoredDocument>;
  blocks(scope: ReadScope, page: PageId): Promise<readonly BlockEntry[]>;
  create(tx: WriteTx, page: PageId, snapshot: Uint8Array, blocks: readonly BlockEntry[]): Promise<void>;
  /** Answers how many updates there are now since the snapshot. */
  append(tx: WriteTx, page: PageId, update: Uint8Array, blocks: readonly BlockEntry[]): Promise<number>;
  /** Replaces snapshot and updates by one snapshot that says the same. */
  compact(tx: WriteTx, page: PageId, snapshot: Uint8Array): Promise<void>;
}
