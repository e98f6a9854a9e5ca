/** Gives a page another name or place, with every link that depends on it, as one change. Renames, moves and their undoing are this. */
import { SluiceError } from '../../kernel/errors.ts';
import type { PageId } from '../../kernel/ids.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Landing } from '../../kernel/ticket.ts';
import { applyRelink, NOTHING_RELINKED, type RelinkReport } from './apply-relink.ts';
import { indexWords } from './land-text.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Placed } from './name-view.ts';
import { nameKey } from './names.ts';
import { type Page, pathOf } from './page.ts';
import { requireMayChange } from './page-rules.ts';
import { checkDepth, movedSubtree, placedSubtree, wayTo } from './place-page.ts';
import { planRelink, type RelinkRequest } from './plan-relink.ts';
import { recordChange } from './record-change.ts';

export interface NewPlace extends Pick<Page, 'title' | 'slug' | 'parent' | 'position'> {
  readonly gainsAlias?: string | undefined;
  readonly losesAlias?: string | undefined;
}

export interface PlacingOptions extends Pick<RelinkRequest, 'wishes' | 'also'> {
  readonly kind: 'page_renamed' | 'page_moved';
  readonly dryRun: boolean;
  /** The change that this one takes back. */
  readonly undoes?: number;
}

export interface PlacedAnew extends RelinkReport {
  readonly page: Page;
  /** Where it is, or would be. */
  readonly path: string;
  readonly changed: boolean;
  /** The number of the change in the workspace's log. */
  readonly change?: number;
}

export async function placeAnew(
  use: WorkspaceMeans,
  landing: Landing,
  seen: Page,
  wanted: NewPlace,
  options: PlacingOptions,
): Promise<PlacedAnew> {
  const { tx, submission } = landing;
  const { workspace } = seen;
  // A page whose parent is not there for the caller stands at the root for it, and stays where it is all the same.
  const page = { ...seen, parent: await parentOf(use, tx, seen) };
  const to = wanted.parent === seen.parent ? { ...wanted, parent: page.parent } : wanted;
  const request = await describe(use, landing, page, to);
  const path = pathOf([
    ...(await wayTo(use, tx, to.parent)),
    { id: page.id, title: to.title, slug: to.slug },
  ]);
  const plan = await planRelink(use, tx, { ...request, wishes: options.wishes, also: options.also });
  const { title, slug, parent, position } = to;
  // Whoever stands below gets another path.
  const subtree = slug === page.slug && parent === page.parent ? [] : request.before;
  requireMayChange(
    submission,
    await use.pages.headers(
      tx,
      workspace,
      subtree.map((placed) => placed.page),
    ),
    'consequence',
  );
  if (options.dryRun) {
    const { report } = await applyRelink(use, landing, workspace, plan, true);
    return { page: { ...seen, title, slug, parent: wanted.parent }, path, changed: false, ...report };
  }
  const stamp = { updatedAt: submission.at, updatedBy: submission.caller.principal.name };
  await use.pages.update(tx, page.id, { title, slug, parent, position, ...stamp });
  // A page that only got another place among its siblings keeps the file it came from.
  if (title !== page.title || parent !== page.parent) await use.files.clearPaths(tx, page.id);
  if (to.gainsAlias !== undefined) await use.pages.addAlias(tx, page, to.gainsAlias);
  if (to.losesAlias !== undefined) await use.pages.removeAlias(tx, page.id, to.losesAlias);
  const { report, events } = await applyRelink(use, landing, workspace, plan);
  const placed = (await use.pages.find(tx, workspace, page.id)) ?? page;
  if (title !== page.title) await indexWords(use, landing, placed, placed.content);
  const details = {
    ...differences(page, to),
    ...(options.undoes !== undefined && { undoes: options.undoes }),
  };
  const versions = { beforeVersion: page.version, afterVersion: page.version };
  const own = { kind: options.kind, page: page.id, ...versions, details };
  const change = await recordChange(use, landing, workspace, [own, ...events]);
  return { page: placed, path, changed: true, change, ...report };
}

/** As it is, because it already was as wanted. */
export async function asItIs(use: WorkspaceMeans, { tx }: Landing, page: Page): Promise<PlacedAnew> {
  return { page, path: pathOf(await wayTo(use, tx, page.id)), changed: false, ...NOTHING_RELINKED };
}

/** All that it takes to put the page back. */
const differences = (from: Page, to: NewPlace) => ({
  ...(to.title !== from.title && { title: { from: from.title, to: to.title } }),
  ...(to.slug !== from.slug && { slug: { from: from.slug, to: to.slug } }),
  ...(to.parent !== from.parent && { parent: { from: from.parent, to: to.parent } }),
  ...(to.position !== from.position && { position: { from: from.position, to: to.position } }),
  ...(to.gainsAlias !== undefined && { alias_added: to.gainsAlias }),
  ...(to.losesAlias !== undefined && { alias_removed: to.losesAlias }),
});

async function describe(
  use: WorkspaceMeans,
  { tx: { unveiled: tx } }: Landing,
  page: Page,
  to: NewPlace,
): Promise<RelinkRequest> {
  const { workspace, id } = page;
  const before = await placedSubtree(use, tx, await use.pages.subtree(tx, workspace, id));
  const root = before.find((placed) => placed.page === id);
  if (!root) throw new SluiceError('not_found', `There is no page "${page.title}"`, { field: 'page' });
  const above = await wayTo(use, tx, to.parent);
  refuseCycle(page, above);
  const deepest = before.reduce((depth, placed) => Math.max(depth, placed.way.length), 0);
  checkDepth(above.length + deepest - root.way.length + 1);
  const way = [...above, { id, title: to.title, slug: to.slug }];
  const aliases = root.aliases.filter((alias) => nameKey(alias) !== nameKey(to.losesAlias ?? ''));
  const lasting = { ...root, title: to.title, slug: to.slug, aliases, way };
  const placed = to.gainsAlias === undefined ? lasting : { ...lasting, aliases: [...aliases, to.gainsAlias] };
  const changeTo = (one: Placed) => ({ removed: new Set<PageId>(), placed: movedSubtree(before, one) });
  // Links that a new alias would still serve are rewritten all the same: an alias is for links from outside.
  const relies = to.gainsAlias === undefined ? {} : { lasting: changeTo(lasting) };
  return { workspace, before, change: changeTo(placed), ...relies };
}

async function parentOf(use: WorkspaceMeans, tx: WriteTx, page: Page): Promise<PageId | null> {
  const [stored] = await use.pages.headers(tx.unveiled, page.workspace, [page.id]);
  return stored ? stored.parent : page.parent;
}

function refuseCycle(page: Page, above: Placed['way']): void {
  if (!above.some((step) => step.id === page.id)) return;
  const parent = above.at(-1);
  const what = parent?.id === page.id ? 'itself' : `"${parent?.title}", which lies below it`;
  throw new SluiceError('conflict', `"${page.title}" cannot be moved under ${what}`, {
    reason: 'cycle',
    field: 'parent',
  });
}
