/** The port to the index of links between pages. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';

/** `trashed`: it means a page that is in the trash. `file`: it means an attachment. */
export const LINK_STATUSES = [
  'resolved',
  'unresolved',
  'ambiguous',
  'trashed',
  'file',
  'external',
  'self',
] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

export interface LinkEntry {
  readonly source: PageId;
  /** Its place among the page's links. */
  readonly ordinal: number;
  readonly form: 'wiki' | 'markdown' | 'reference';
  readonly embed: boolean;
  /** Of the whole link in the page's text. */
  readonly start: number;
  readonly end: number;
  /** Of the part that names the page. */
  readonly targetStart: number;
  readonly targetEnd: number;
  readonly path: string;
  readonly fragment: string | null;
  readonly display: string | null;
  /** The folded name a page must have to be meant; empty when no page can be. */
  readonly targetKey: string;
  readonly status: LinkStatus;
  readonly target: PageId | null;
}

/** A link, and what it means from now on. */
export interface Relinked {
  readonly link: Pick<LinkEntry, 'source' | 'ordinal'>;
  readonly status: LinkStatus;
  readonly target: PageId | null;
}

export interface LinkStore {
  of(scope: ReadScope, source: PageId): Promise<readonly LinkEntry[]>;
  /** Of several pages at once, in the order of each page. */
  ofAll(scope: ReadScope, sources: readonly PageId[]): Promise<ReadonlyMap<PageId, readonly LinkEntry[]>>;
  /** From live pages, in order of source and place, after the given one. */
  to(
    scope: ReadScope,
    target: PageId,
    limit: number,
    after?: { readonly source: PageId; readonly ordinal: number },
  ): Promise<readonly LinkEntry[]>;
  countTo(scope: ReadScope, target: PageId): Promise<number>;
  countOf(scope: ReadScope, source: PageId): Promise<number>;
  /** Links from live pages whose folded name is one of the given. */
  byKeys(scope: ReadScope, workspace: WorkspaceId, keys: readonly string[]): Promise<readonly LinkEntry[]>;
  /** Whether links mean to who looks what is noted of them; to who does not see all pages they may mean others. */
  settled(scope: ReadScope): boolean;
  /** Links from live pages that have one of the statuses, in order of source and place, after the given one. */
  withStatus(
    scope: ReadScope,
    workspace: WorkspaceId,
    statuses: readonly LinkStatus[],
    limit: number,
    after?: { readonly source: PageId; readonly ordinal: number },
  ): Promise<readonly LinkEntry[]>;
  /** For pages that have none yet. */
  add(tx: WriteTx, workspace: WorkspaceId, links: readonly LinkEntry[]): Promise<void>;
  /** These are all the links that the sources have now. */
  replace(
    tx: WriteTx,
    workspace: WorkspaceId,
    sources: readonly PageId[],
    links: readonly LinkEntry[],
  ): Promise<void>;
  /** Notes what links mean now. */
  resolve(tx: WriteTx, relinked: readonly Relinked[]): Promise<void>;
}
