/** The port to who wrote which block. Kept beside the blocks, and for blocks that went, by what they said. */
import type { PrincipalKind } from '../../../kernel/caller.ts';
import type { BlockId, PageId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { EntityVersion, Origin } from '../../../kernel/submission.ts';

/** What one landed call says about whoever wrote. */
export interface Attribution {
  readonly principalKind: PrincipalKind;
  readonly principal: string;
  readonly principalName: string;
  readonly run: string;
  readonly tool: string;
  readonly call: string;
  readonly origin: Origin;
  readonly at: number;
  /** Who let it in, where it had to wait for somebody. */
  readonly acceptedBy: string | null;
  /** The run that the call undid. */
  readonly undoes: string | null;
  readonly sources: readonly EntityVersion[];
}

/** Stands for a writer that nobody knows: text from before this was kept. */
export const UNKNOWN = 0;

/** Whose a block is, as numbers of attributions. */
export interface Authorship {
  /** Newest first, each writer once. */
  readonly by: readonly number[];
  readonly restoredBy: number | null;
  /** Who touched it last, be it by moving it. */
  readonly touchedBy: number;
}

export interface BlockAuthorship {
  readonly page: PageId;
  readonly block: BlockId;
  readonly authorship: Authorship;
}

export interface ProvenanceStore {
  /** Answers its number; the same again has the same. */
  keep(tx: WriteTx, attribution: Attribution): Promise<number>;
  attributions(scope: ReadScope, numbers: readonly number[]): Promise<ReadonlyMap<number, Attribution>>;
  /** Those without an entry are left out. */
  ofBlocks(scope: ReadScope, blocks: readonly BlockId[]): Promise<ReadonlyMap<BlockId, Authorship>>;
  pageOf(scope: ReadScope, block: BlockId): Promise<PageId | undefined>;
  /** Of any number of pages. */
  put(tx: WriteTx, blocks: readonly BlockAuthorship[]): Promise<void>;
  remove(tx: WriteTx, blocks: readonly BlockId[]): Promise<void>;
  /** Remembers whose a text was that the page has no more. */
  remember(tx: WriteTx, page: PageId, texts: readonly (readonly [string, Authorship])[]): Promise<void>;
  /** For each digest whose it was, in the order in which they touched it. */
  former(
    scope: ReadScope,
    page: PageId,
    digests: readonly string[],
  ): Promise<ReadonlyMap<string, readonly Authorship[]>>;
}
