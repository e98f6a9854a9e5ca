/**
 * What a change of names or places does to links: which ones mean another page afterwards, and which must be
 * rewritten so that they keep meaning the one they meant. Makes a plan and changes nothing.
 */
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { keysOf, resolveIn } from './index-links.ts';
import { linkPathFor } from './link-text.ts';
import type { WorkspaceMeans } from './means.ts';
import { type NameChange, namesOf, overlayNames, type Placed, readNameView } from './name-view.ts';
import { nameKey } from './names.ts';
import type { LinkEntry, LinkStatus } from './ports/link-store.ts';

export interface Relinked {
  readonly link: LinkEntry;
  readonly status: LinkStatus;
  readonly target: PageId | null;
}

export interface LinkRewrite {
  readonly link: LinkEntry;
  /** The path to write instead. */
  readonly path: string;
}

export interface RelinkPlan {
  readonly relinked: readonly Relinked[];
  readonly rewrites: readonly LinkRewrite[];
  /** Links that would change their meaning and cannot be written in a way that keeps it. */
  readonly stuck: readonly LinkEntry[];
}

export interface RelinkRequest {
  readonly workspace: WorkspaceId;
  readonly change: NameChange;
  /** What rewritten links may rely on of it, if not on all. */
  readonly lasting?: NameChange;
  /** Names and places before the change, of every page it touches. */
  readonly before: readonly Placed[];
  /** Keep the meaning of links by rewriting them; otherwise only note what they mean now. */
  readonly rewrite: boolean;
}

export async function planRelink(
  use: Pick<WorkspaceMeans, 'pages' | 'files' | 'links'>,
  scope: ReadScope,
  request: RelinkRequest,
): Promise<RelinkPlan> {
  const { workspace, change, before } = request;
  const keys = new Set(
    [...before, ...change.placed].flatMap((page) => namesOf(page)).map((name) => name.key),
  );
  const links = await linksConcerned(use, scope, request, [...keys]);
  const sources = new Set(links.map((link) => link.source));
  const targets = new Set(links.flatMap((link) => link.target ?? []));
  const names = [...keys, ...keysOf(links), ...(await keysOfPages(use, scope, workspace, targets))];
  const now = await readNameView(use, scope, workspace, names, [...sources.union(targets)]);
  const later = overlayNames(now, change);
  const lasting = request.lasting ? overlayNames(now, request.lasting) : later;
  const placed = new Set(change.placed.map(({ page }) => page));
  const relinked: Relinked[] = [];
  const rewrites: LinkRewrite[] = [];
  const stuck: LinkEntry[] = [];
  for (const link of links) {
    if (change.removed.has(link.source)) continue;
    const after = resolveIn(link, later);
    if (request.rewrite && link.status === 'resolved' && link.target !== resolveIn(link, lasting).target) {
      const path = link.target === null ? undefined : linkPathFor(link, link.target, lasting);
      if (path !== undefined) {
        rewrites.push({ link, path });
        continue;
      }
      if (link.target !== after.target) stuck.push(link);
    }
    const settled = inTrash(link, after, change.removed, placed) ?? after;
    if (settled.status !== link.status || settled.target !== link.target) {
      relinked.push({ link, status: settled.status, target: settled.target });
    }
  }
  return { relinked, rewrites, stuck };
}

/** Links that say one of the names, and those of pages that stand elsewhere afterwards: what they say is seen from there. */
async function linksConcerned(
  use: Pick<WorkspaceMeans, 'links'>,
  scope: ReadScope,
  { workspace, change, before }: RelinkRequest,
  keys: readonly string[],
): Promise<readonly LinkEntry[]> {
  const named = await use.links.byKeys(scope, workspace, keys);
  const known = new Set(named.map((link) => `${link.source} ${link.ordinal}`));
  const standing = new Map(before.map(({ page, way }) => [page, idsOf(way)]));
  const own: LinkEntry[] = [];
  for (const { page, way } of change.placed) {
    const stood = standing.get(page);
    if (stood === undefined || stood === idsOf(way)) continue;
    const links = await use.links.of(scope, page);
    own.push(...links.filter((link) => !known.has(`${link.source} ${link.ordinal}`)));
  }
  return [...named, ...own];
}

const idsOf = (way: Placed['way']): string => way.map((step) => step.id).join();

/** The names of the pages that links mean now, because those are what a rewritten link will say. */
async function keysOfPages(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  pages: ReadonlySet<PageId>,
): Promise<readonly string[]> {
  const headers = await use.pages.headers(scope, workspace, [...pages]);
  return headers.flatMap((page) => [nameKey(page.title), nameKey(page.slug)]);
}

/** A link to a page in the trash says so until the page is back, for as long as nothing else answers to the name. */
function inTrash(
  link: LinkEntry,
  after: { readonly status: LinkStatus },
  removed: ReadonlySet<PageId>,
  placed: ReadonlySet<PageId>,
): { readonly status: LinkStatus; readonly target: PageId | null } | undefined {
  if (after.status !== 'unresolved' || link.target === null) return undefined;
  const gone = removed.has(link.target) || (link.status === 'trashed' && !placed.has(link.target));
  return gone ? { status: 'trashed', target: link.target } : undefined;
}
