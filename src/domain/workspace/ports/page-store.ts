/** The port to pages and their place in the tree. Unless it says otherwise, only live pages are seen. */
import type { BatchId, PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { DerivedMetadata } from '../derive-metadata.ts';
import type { Ancestor, Page, PageHeader } from '../page.ts';

export type PagePatch = Partial<
  Pick<
    Page,
    | 'parent'
    | 'slug'
    | 'title'
    | 'icon'
    | 'position'
    | 'properties'
    | 'tags'
    | 'lifecycle'
    | 'version'
    | 'content'
    | 'words'
    | 'updatedAt'
    | 'updatedBy'
    | 'trashBatch'
    | 'dialect'
  >
>;

/** By which of its names a page was found. */
export type NameKind = 'title' | 'slug' | 'alias';

export interface NamedPage {
  readonly page: PageHeader;
  readonly kind: NameKind;
  /** The folded name that matched. */
  readonly key: string;
}

export interface MetadataName {
  readonly kind: 'tag' | 'property' | 'alias';
  readonly name: string;
  readonly derived: boolean;
}

export interface PageStore {
  /** Trashed ones as well. */
  find(scope: ReadScope, workspace: WorkspaceId, id: PageId): Promise<Page | undefined>;
  /** The same for several, in no order. */
  findAll(scope: ReadScope, workspace: WorkspaceId, ids: readonly PageId[]): Promise<readonly Page[]>;
  /** Trashed ones as well; in no order. */
  headers(scope: ReadScope, workspace: WorkspaceId, ids: readonly PageId[]): Promise<readonly PageHeader[]>;
  /** One, unless some of those who see the page do not see all that have its name. */
  called(
    scope: ReadScope,
    workspace: WorkspaceId,
    parent: PageId | null,
    slugKey: string,
  ): Promise<readonly PageHeader[]>;
  /** In order of position, after the given one. */
  children(
    scope: ReadScope,
    workspace: WorkspaceId,
    parent: PageId | null,
    limit: number,
    after?: { readonly position: string; readonly id: PageId },
  ): Promise<readonly PageHeader[]>;
  /** The one with the greatest position, leaving out the given page. */
  lastChild(
    scope: ReadScope,
    workspace: WorkspaceId,
    parent: PageId | null,
    except?: PageId,
  ): Promise<PageHeader | undefined>;
  childCounts(
    scope: ReadScope,
    workspace: WorkspaceId,
    ids: readonly PageId[],
  ): Promise<ReadonlyMap<PageId, number>>;
  /** Pages that answer to one of the folded names. */
  named(scope: ReadScope, workspace: WorkspaceId, keys: readonly string[]): Promise<readonly NamedPage[]>;
  /** For each page the way from the root to it, itself last; trashed ones as well. */
  ways(scope: ReadScope, ids: readonly PageId[]): Promise<ReadonlyMap<PageId, readonly Ancestor[]>>;
  /** The page and everything below it, parents before children. */
  subtree(scope: ReadScope, workspace: WorkspaceId, root: PageId): Promise<readonly PageHeader[]>;
  /** Folded slugs below a parent that begin so. */
  siblingSlugs(
    scope: ReadScope,
    workspace: WorkspaceId,
    parent: PageId | null,
    prefix: string,
  ): Promise<readonly string[]>;
  aliases(scope: ReadScope, page: PageId): Promise<readonly string[]>;
  /** Of several pages at once; those without any are left out. */
  aliasesOfAll(scope: ReadScope, pages: readonly PageId[]): Promise<ReadonlyMap<PageId, readonly string[]>>;
  count(scope: ReadScope, workspace: WorkspaceId): Promise<number>;
  trashed(scope: ReadScope, batch: BatchId): Promise<readonly PageHeader[]>;

  /** Names that a page has besides its title, each with whether its own text says so. */
  metadata(scope: ReadScope, page: PageId): Promise<readonly MetadataName[]>;

  insert(tx: WriteTx, page: Page): Promise<void>;
  update(tx: WriteTx, id: PageId, patch: PagePatch): Promise<void>;
  /** New texts for several pages, all by the same hand. */
  updateTexts(
    tx: WriteTx,
    texts: readonly Pick<Page, 'id' | 'content' | 'version' | 'words'>[],
    stamp: Pick<Page, 'updatedAt' | 'updatedBy'>,
  ): Promise<void>;
  addAlias(tx: WriteTx, page: PageHeader, alias: string): Promise<void>;
  /** Only one that somebody set; what the text says stays as long as it does. */
  removeAlias(tx: WriteTx, page: PageId, alias: string): Promise<void>;
  /** Replaces what the page's text said before. Names that somebody set are left alone. */
  putDerived(
    tx: WriteTx,
    page: Pick<PageHeader, 'id' | 'workspace'>,
    derived: Pick<DerivedMetadata, 'tags' | 'aliases' | 'properties'>,
    shown: Pick<PageHeader, 'tags' | 'properties'>,
  ): Promise<void>;
}
