/** The port to where documents and block indexes are kept. */
import type { PageId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { BlockEntry } from '../block-index.ts';
import type { StoredDocument } from './text-documents.ts';

export interface DocumentUpdate {
  readonly page: PageId;
  readonly update: Uint8Array;
  readonly blocks: readonly BlockEntry[];
}

export interface DocumentStore {
  load(scope: ReadScope, page: PageId): Promise<StoredDocument>;
  /** Documents and block indexes of several pages at once. */
  loadAll(
    scope: ReadScope,
    pages: readonly PageId[],
  ): Promise<
    ReadonlyMap<PageId, { readonly stored: StoredDocument; readonly blocks: readonly BlockEntry[] }>
  >;
  blocks(scope: ReadScope, page: PageId): Promise<readonly BlockEntry[]>;
  create(tx: WriteTx, page: PageId, snapshot: Uint8Array, blocks: readonly BlockEntry[]): Promise<void>;
  /** Answers for each page how many updates there are now since its snapshot. */
  append(tx: WriteTx, changes: readonly DocumentUpdate[]): Promise<ReadonlyMap<PageId, number>>;
  /** Replaces snapshot and updates by one snapshot that says the same. */
  compact(tx: WriteTx, page: PageId, snapshot: Uint8Array): Promise<void>;
}
