/** The port to what ties a workspace to files: where pages came from, and attachments. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { Zone } from '../../../kernel/sight.ts';
import type { Lifecycle } from '../../../kernel/submission.ts';
import type { Dialect } from '../markdown/dialect.ts';

/** The file a page came from. */
export interface PageFile {
  readonly page: PageId;
  /** Relative, with slashes; one at the end = a folder that has no note. */
  readonly path: string;
  /** Of the file's text as it was last seen. */
  readonly digest: string;
  /** That text: a version of the page, or itself where it never was one. */
  readonly version: string | null;
  readonly text: string | null;
  readonly dialect: Dialect | null;
  /** Which of them saw it so; only an import has to go by what another import saw. */
  readonly seenBy: 'import' | 'sync';
}

/** A page as far as the name of its file depends on it. */
export interface FiledPage {
  readonly id: PageId;
  readonly parent: PageId | null;
  readonly title: string;
  readonly dialect: Dialect | null;
  readonly path: string | null;
  readonly version: string;
  readonly lifecycle: Lifecycle;
  /** Without any text. */
  readonly isEmpty: boolean;
}

export interface Attachment {
  readonly path: string;
  /** Who sees it is who sees the pages there. Zones may each have a file at the same path. */
  readonly zone: Zone;
  /** What a link must say to mean it, folded. */
  readonly nameKey: string;
  readonly digest: string;
  readonly size: number;
  readonly mediaType: string;
  /** Digests of the blobs that make it up. */
  readonly parts: readonly string[];
  /** The principal who put it there, or agreed to it; null where nobody knows any more. */
  readonly broughtBy: string | null;
}

export interface FileStore {
  /** Of live pages. */
  atPaths(scope: ReadScope, workspace: WorkspaceId, paths: readonly string[]): Promise<readonly PageFile[]>;
  bind(tx: WriteTx, file: PageFile): Promise<void>;
  /** The page and all below it have been called or placed otherwise: the files they came from are no longer theirs. */
  clearPaths(tx: WriteTx, root: PageId): Promise<void>;
  /** Of this page alone, and only where another live page or an attachment has the path. */
  clearTakenPath(tx: WriteTx, page: PageId): Promise<void>;

  /** Live pages in order of id, after the given one. */
  pages(
    scope: ReadScope,
    workspace: WorkspaceId,
    limit: number,
    after?: PageId,
  ): Promise<readonly FiledPage[]>;
  filed(scope: ReadScope, workspace: WorkspaceId, ids: readonly PageId[]): Promise<readonly FiledPage[]>;
  /** Live children in order. */
  children(scope: ReadScope, workspace: WorkspaceId, parent: PageId | null): Promise<readonly FiledPage[]>;

  /** Attachments that answer to one of the folded names. */
  named(scope: ReadScope, workspace: WorkspaceId, keys: readonly string[]): Promise<readonly Attachment[]>;
  attachments(
    scope: ReadScope,
    workspace: WorkspaceId,
    limit: number,
    after?: Pick<Attachment, 'path' | 'zone'>,
  ): Promise<readonly Attachment[]>;
  /** In order of zone, the outermost first. */
  attachmentsAt(
    scope: ReadScope,
    workspace: WorkspaceId,
    paths: readonly string[],
  ): Promise<readonly Attachment[]>;
  withDigests(
    scope: ReadScope,
    workspace: WorkspaceId,
    digests: readonly string[],
  ): Promise<readonly Attachment[]>;
  /** Of all workspaces: every blob that an attachment is made of. */
  blobsInUse(scope: ReadScope): Promise<ReadonlySet<string>>;
  usesBlob(scope: ReadScope, digest: string): Promise<boolean>;
  attach(tx: WriteTx, workspace: WorkspaceId, attachments: readonly Attachment[]): Promise<void>;
  detach(
    tx: WriteTx,
    workspace: WorkspaceId,
    files: readonly Pick<Attachment, 'path' | 'zone'>[],
  ): Promise<void>;
  /** Files below a folder that no page of their zone shows come into another. */
  bringUnshown(tx: WriteTx, workspace: WorkspaceId, folder: string, from: Zone, to: Zone): Promise<void>;
  /** Files outside of every zone that no page there shows come into the zone of a page that does, if it was this principal who brought them. */
  adopt(tx: WriteTx, pages: readonly PageId[], broughtBy: string): Promise<void>;
  /** Paths at which both zones have a file, and not the same. */
  sharedPaths(scope: ReadScope, workspace: WorkspaceId, one: Zone, other: Zone): Promise<readonly string[]>;
}
