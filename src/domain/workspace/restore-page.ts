/**
 * Takes pages out of the trash: a whole batch exactly as it was, or one page with what lay below it. Where its
 * place is gone or taken, it says where the page went instead.
 */
import { SluiceError } from '../../kernel/errors.ts';
import { type BatchId, isUuid, type PageId, type WorkspaceId } from '../../kernel/ids.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { applyRelink } from './apply-relink.ts';
import { indexText } from './land-text.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Placed } from './name-view.ts';
import type { PageHeader } from './page.ts';
import { requireMayChange, workspaceOf } from './page-rules.ts';
import { freePosition, placedSubtree, slugAmong } from './place-page.ts';
import { planRelink } from './plan-relink.ts';
import type { NewEvent } from './ports/event-log.ts';
import type { TrashItem } from './ports/trash-store.ts';
import { newPageProposal } from './proposals/proposal.ts';
import { recordChange } from './record-change.ts';

export interface Restored {
  readonly page: PageHeader;
  /** Why it is not exactly where it was. */
  readonly note?: string;
}

export type RestoreWish = { readonly batch: string } | { readonly page: string };

export async function restorePages(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  wish: RestoreWish,
): Promise<{ readonly batch: BatchId; readonly restored: readonly Restored[] }> {
  return takeOut(use, requireTicket(ticket, 'page', 'land'), wish);
}

export async function takeOut(
  use: WorkspaceMeans,
  landing: Landing,
  wish: RestoreWish,
): Promise<{ readonly batch: BatchId; readonly restored: readonly Restored[] }> {
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const { batch, chosen, left } = await choosePages(use, landing, workspace, wish);
  const shown = await shownOf(use, landing, workspace, chosen);
  requireMayChange(
    submission,
    chosen.filter((page) => shown.has(page.id)),
  );
  const items = new Map((await use.trash.items(tx.unveiled, batch)).map((item) => [item.page, item]));
  const before = await placedSubtree(use, tx.unveiled, chosen);
  const restored: Restored[] = [];
  for (const page of parentsFirst(chosen, items)) {
    restored.push(await putBack(use, shown.has(page.id) ? tx : tx.unveiled, page, items.get(page.id)));
  }
  if (left === 0) await use.trash.markRestored(tx, batch, submission.at);
  await relinkRestored(use, landing, workspace, before, restored);
  await use.proposals.reopen(
    tx,
    chosen.map(({ id }) => newPageProposal(id)),
  );
  await recordChange(
    use,
    landing,
    workspace,
    restored.map((one) => restoredEvent(one, batch)),
  );
  return { batch, restored: restored.filter(({ page }) => shown.has(page.id)) };
}

/** What lay below and is not there for the caller comes back as well, without a word. */
async function shownOf(
  use: WorkspaceMeans,
  { tx }: Landing,
  workspace: WorkspaceId,
  pages: readonly PageHeader[],
): Promise<ReadonlySet<PageId>> {
  const ids = pages.map((page) => page.id);
  return new Set((await use.pages.headers(tx, workspace, ids)).map((page) => page.id));
}

interface Choice {
  readonly batch: BatchId;
  readonly chosen: readonly PageHeader[];
  /** How many of the batch stay in the trash. */
  readonly left: number;
}

async function choosePages(
  use: WorkspaceMeans,
  { tx }: Landing,
  workspace: WorkspaceId,
  wish: RestoreWish,
): Promise<Choice> {
  if ('batch' in wish) {
    const batch = await use.trash.find(tx, workspace, wish.batch as BatchId);
    if (!batch)
      throw new SluiceError('not_found', `There is no trash batch "${wish.batch}"`, { field: 'batch' });
    const chosen = await use.pages.trashed(tx.unveiled, batch.id);
    if (chosen.length === 0) throw await emptied(use, tx, batch.id);
    return { batch: batch.id, chosen, left: 0 };
  }
  const [page] = isUuid(wish.page) ? await use.pages.headers(tx, workspace, [wish.page as PageId]) : [];
  if (!page) {
    throw new SluiceError(
      'not_found',
      `There is no page "${wish.page}" in the trash; list_trash gives the ids`,
      {
        field: 'page',
      },
    );
  }
  if (page.trashBatch === null) {
    throw new SluiceError('conflict', `"${page.title}" is not in the trash`, { reason: 'restored' });
  }
  const all = await use.pages.trashed(tx.unveiled, page.trashBatch);
  const chosen = withDescendants(page, all);
  return { batch: page.trashBatch, chosen, left: all.length - chosen.length };
}

/** Where its pages were is forgotten only with the pages themselves. */
async function emptied(use: WorkspaceMeans, tx: WriteTx, batch: BatchId): Promise<SluiceError> {
  const isPurged = (await use.trash.items(tx.unveiled, batch)).length === 0;
  return isPurged
    ? new SluiceError('conflict', `The batch "${batch}" was purged; its pages are gone for good`, {
        reason: 'purged',
      })
    : new SluiceError('conflict', `The batch "${batch}" was restored already`, { reason: 'restored' });
}

function withDescendants(root: PageHeader, all: readonly PageHeader[]): readonly PageHeader[] {
  const children = Map.groupBy(all, (page) => page.parent);
  const found = [root];
  for (const page of found) for (const child of children.get(page.id) ?? []) found.push(child);
  return found;
}

/** A page's slug and place depend on its parent being back already. */
function parentsFirst(
  pages: readonly PageHeader[],
  items: ReadonlyMap<PageId, TrashItem>,
): readonly PageHeader[] {
  const chosen = new Set(pages.map((page) => page.id));
  const parentOf = (page: PageHeader): PageId | null => items.get(page.id)?.parent ?? page.parent;
  const children = Map.groupBy(pages, (page) => parentOf(page));
  const ordered = pages.filter((page) => {
    const parent = parentOf(page);
    return parent === null || !chosen.has(parent);
  });
  for (const page of ordered) for (const child of children.get(page.id) ?? []) ordered.push(child);
  return ordered;
}

async function putBack(
  use: WorkspaceMeans,
  tx: WriteTx,
  page: PageHeader,
  item: TrashItem | undefined,
): Promise<Restored> {
  const wanted = item?.parent ?? page.parent;
  const parent = await nearestLive(use, tx.unveiled, page.workspace, wanted);
  const slug = await slugAmong(use, tx, page.workspace, parent, item?.slug ?? page.slug);
  const position = await freePosition(use, tx, page.workspace, parent, item?.position ?? page.position);
  if (parent !== wanted) await use.files.clearPaths(tx, page.id);
  await use.files.clearTakenPath(tx, page.id);
  await use.pages.update(tx, page.id, { trashBatch: null, parent, slug, position });
  const notes = [
    ...(parent === wanted
      ? []
      : [
          parent === null
            ? 'its parent is gone; it is at the root now'
            : 'its parent is in the trash; it is under the nearest page above',
        ]),
    ...(slug === (item?.slug ?? page.slug) ? [] : [`its slug was taken; it is "${slug}" now`]),
  ];
  const back = { ...page, trashBatch: null, parent, slug, position };
  return notes.length === 0 ? { page: back } : { page: back, note: notes.join('; ') };
}

async function nearestLive(
  use: WorkspaceMeans,
  tx: WriteTx,
  workspace: WorkspaceId,
  wanted: PageId | null,
): Promise<PageId | null> {
  if (wanted === null) return null;
  const way = (await use.pages.ways(tx, [wanted])).get(wanted) ?? [];
  const headers = await use.pages.headers(
    tx,
    workspace,
    way.map((step) => step.id),
  );
  const live = new Set(headers.filter((page) => page.trashBatch === null).map((page) => page.id));
  return way.findLast((step) => live.has(step.id))?.id ?? null;
}

/** Others' links may mean these pages again, and what these pages link to may have changed meanwhile. */
async function relinkRestored(
  use: WorkspaceMeans,
  landing: Landing,
  workspace: WorkspaceId,
  before: readonly Placed[],
  restored: readonly Restored[],
): Promise<void> {
  // Their own links first: those to pages still in the trash know it from before they went there themselves.
  for (const { page } of restored) {
    const full = await use.pages.find(landing.tx.unveiled, workspace, page.id);
    if (full) await indexText(use, landing, full, full.content);
  }
  const placed = await placedSubtree(
    use,
    landing.tx.unveiled,
    restored.map(({ page }) => page),
  );
  const change = { removed: new Set<PageId>(), placed };
  const plan = await planRelink(use, landing.tx, { workspace, change, before });
  await applyRelink(use, landing, workspace, plan);
}

const restoredEvent = ({ page, note }: Restored, batch: BatchId): NewEvent => ({
  kind: 'page_restored',
  page: page.id,
  beforeVersion: page.version,
  afterVersion: page.version,
  details: { batch, ...(note !== undefined && { note }) },
});
