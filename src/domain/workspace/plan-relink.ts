/**
 * What a change of names or places does to links: which ones mean another page afterwards, and which must be
 * rewritten so that they keep meaning the one they meant. Makes a plan and changes nothing.
 */
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import { keysOf, resolveIn } from './index-links.ts';
import { linkPathFor } from './link-text.ts';
import type { WorkspaceMeans } from './means.ts';
import {
  type NameChange,
  type NameView,
  namesOf,
  overlayNames,
  type Placed,
  readNameView,
} from './name-view.ts';
import { nameKey } from './names.ts';
import type { LinkEntry, LinkStatus, Relinked } from './ports/link-store.ts';
import { targetKey } from './resolve-link.ts';

export interface LinkRewrite {
  readonly link: LinkEntry;
  /** The path to write instead. */
  readonly path: string;
  /** How to write it, where that is known; else in the manner of the link. */
  readonly written?: string;
  /** What the link means should its page have to stay as it is. */
  readonly otherwise: Pick<Relinked, 'status' | 'target'>;
}

/** What is wanted of a link: that it keeps its meaning, or its text, or gets back how it was written. */
export type LinkWish = 'meaning' | 'text' | { readonly path: string; readonly written?: string };

/** All links keep their meaning. */
export const keepMeanings = async (links: readonly LinkEntry[]): Promise<readonly LinkWish[]> =>
  links.map(() => 'meaning');

export interface RelinkPlan {
  readonly relinked: readonly Relinked[];
  readonly rewrites: readonly LinkRewrite[];
  /** Links that would change their meaning and cannot be written in a way that keeps it. */
  readonly stuck: readonly LinkEntry[];
  /** Links that led to a page and, left as they are, do so no more. */
  readonly broken: readonly LinkEntry[];
}

export interface RelinkRequest {
  readonly workspace: WorkspaceId;
  readonly change: NameChange;
  /** What rewritten links may rely on of it, if not on all. */
  readonly lasting?: NameChange;
  /** Names and places before the change, of every page it touches. */
  readonly before: readonly Placed[];
  /** One for each link; left out = all keep their text, and only what they mean now is noted. */
  readonly wishes?: ((links: readonly LinkEntry[]) => Promise<readonly LinkWish[]>) | undefined;
  /** Links to look at beside those that the change concerns. */
  readonly also?: readonly LinkEntry[] | undefined;
}

export async function planRelink(
  use: Pick<WorkspaceMeans, 'pages' | 'files' | 'links'>,
  { unveiled: tx }: WriteTx,
  request: RelinkRequest,
): Promise<RelinkPlan> {
  const { workspace, change, before } = request;
  const keys = new Set(
    [...before, ...change.placed].flatMap((page) => namesOf(page)).map((name) => name.key),
  );
  const links = await linksConcerned(use, tx, request, [...keys]);
  const wishes = (await request.wishes?.(links)) ?? [];
  const sources = new Set(links.map((link) => link.source));
  const targets = new Set(links.flatMap((link) => link.target ?? []));
  const names = [
    ...keys,
    ...keysOf(links),
    ...wishes.flatMap((one) => (typeof one === 'object' ? targetKey(one.path) : [])),
    ...(await keysOfPages(use, tx, workspace, targets)),
  ];
  const now = await readNameView(use, tx, workspace, names, [...sources.union(targets)]);
  const later = overlayNames(now, change);
  const lasting = request.lasting ? overlayNames(now, request.lasting) : later;
  const placed = new Set(change.placed.map(({ page }) => page));
  const relinked: Relinked[] = [];
  const rewrites: LinkRewrite[] = [];
  const stuck: LinkEntry[] = [];
  const broken: LinkEntry[] = [];
  for (const [i, link] of links.entries()) {
    await tx.breathe();
    if (change.removed.has(link.source)) continue;
    const after = resolveIn(link, later);
    const { status, target } = inTrash(link, after, change.removed, placed) ?? after;
    const words = wordsFor(link, wishes[i] ?? 'text', lasting);
    if (typeof words === 'object') {
      rewrites.push({ link, ...words, otherwise: { status, target } });
      continue;
    }
    if (words === 'none' && link.target !== after.target) stuck.push(link);
    if (link.status === 'resolved' && (status === 'unresolved' || status === 'ambiguous')) broken.push(link);
    if (status !== link.status || target !== link.target) relinked.push({ link, status, target });
  }
  return { relinked, rewrites, stuck, broken };
}

/** What to write so that the wish comes true; nothing when it does by itself, `none` when no words will do. */
function wordsFor(
  link: LinkEntry,
  wish: LinkWish,
  lasting: NameView,
): Pick<LinkRewrite, 'path' | 'written'> | 'none' | undefined {
  if (wish === 'text' || link.status !== 'resolved' || link.target === null) return undefined;
  if (typeof wish === 'object') {
    const former = { ...link, path: wish.path, targetKey: targetKey(wish.path) };
    if (resolveIn(former, lasting).target === link.target) return wish;
  }
  if (resolveIn(link, lasting).target === link.target) return undefined;
  const path = linkPathFor(link, link.target, lasting);
  return path === undefined ? 'none' : { path };
}

/** Links that say one of the names, and those of pages that stand elsewhere afterwards: what they say is seen from there. */
async function linksConcerned(
  use: Pick<WorkspaceMeans, 'links'>,
  scope: ReadScope,
  { workspace, change, before, also = [] }: RelinkRequest,
  keys: readonly string[],
): Promise<readonly LinkEntry[]> {
  const named = await use.links.byKeys(scope, workspace, keys);
  const standing = new Map(before.map(({ page, way }) => [page, idsOf(way)]));
  const moved = change.placed.filter(({ page, way }) => (standing.get(page) ?? idsOf(way)) !== idsOf(way));
  const own = await use.links.ofAll(
    scope,
    moved.map(({ page }) => page),
  );
  const all = [...named, ...[...own.values()].flat(), ...also];
  return [...new Map(all.map((link) => [`${link.source} ${link.ordinal}`, link])).values()];
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
