/** Takes back that pages came or went: what a run made goes to the trash, what it threw away comes back. */
import type { BatchId, PageId } from '../../../kernel/ids.ts';
import type { PageHeader } from '../page.ts';
import type { EventKind, WorkspaceEvent } from '../ports/event-log.ts';
import { takeOut } from '../restore-page.ts';
import { landTrash } from '../trash-page.ts';
import { stepOf, type UndoStep } from './step.ts';
import { withdrawNewPages } from './undo-proposal.ts';
import { othersSince, type Undoing } from './undoing.ts';

/** For what a change made or took out of the trash. Pages that others worked on since stay, with all above them. */
export async function undoComing(
  undoing: Undoing,
  events: readonly WorkspaceEvent[],
): Promise<readonly UndoStep[]> {
  const { use, landing, workspace } = undoing;
  const ids = events.flatMap(({ page }) => page ?? []);
  const headers = new Map(
    (await use.pages.headers(landing.tx, workspace, ids)).map((page) => [page.id, page]),
  );
  const live = [...headers.values()].filter(({ trashBatch }) => trashBatch === null);
  const reasons = await reasonsToStay(undoing, events, live);
  const going = live.filter(({ id }) => !reasons.has(id));
  const roots = topmost(going);
  if (roots[0]) await landTrash(use, landing, roots[0], roots);
  await withdrawNewPages(undoing, going);
  return events.flatMap((event) => {
    const page = event.page === null ? undefined : headers.get(event.page);
    if (!page) return [];
    const reason = reasons.get(page.id);
    if (reason !== undefined) return stepOf(event, page.title, 'kept', { reason });
    return stepOf(event, page.title, page.trashBatch === null ? 'undone' : 'nothing');
  });
}

async function reasonsToStay(
  undoing: Undoing,
  events: readonly WorkspaceEvent[],
  live: readonly PageHeader[],
): Promise<ReadonlyMap<PageId, string>> {
  const { use, landing, workspace } = undoing;
  const since = new Map(events.map(({ page, sequence }) => [page, sequence]));
  const parents = new Map(live.map(({ id, parent }) => [id, parent]));
  const reasons = new Map<PageId, string>();
  const stay = (from: PageId | null, reason: string): void => {
    for (let at = from; at !== null && parents.has(at); at = parents.get(at) ?? null)
      if (!reasons.has(at)) reasons.set(at, reason);
  };
  for (const { id, parent } of live) {
    await landing.tx.breathe();
    const other = await othersSince(undoing, id, since.get(id) ?? 0, isWork);
    if (!other) continue;
    reasons.set(id, `${other.principalName} worked on the page since`);
    stay(parent, 'others have pages below it');
  }
  for (const root of topmost(live)) {
    for (const below of await use.pages.subtree(landing.tx, workspace, root.id))
      if (!parents.has(below.id)) stay(below.parent, 'others have pages below it');
  }
  return reasons;
}

/** Links that had to be rewritten for something elsewhere, and what is said about a page, are no work on it. */
const NO_WORK: readonly EventKind[] = [
  'links_rewritten',
  'change_proposed',
  'proposal_accepted',
  'proposal_rejected',
];

const isWork = ({ kind }: WorkspaceEvent): boolean => !NO_WORK.includes(kind);

function topmost(pages: readonly PageHeader[]): readonly PageHeader[] {
  const ids = new Set(pages.map(({ id }) => id));
  return pages.filter(({ parent }) => parent === null || !ids.has(parent));
}

/** For what a change threw away. */
export async function undoGoing(
  undoing: Undoing,
  events: readonly WorkspaceEvent[],
): Promise<readonly UndoStep[]> {
  const { use, landing, workspace } = undoing;
  const ids = events.flatMap(({ page }) => page ?? []);
  const headers = new Map(
    (await use.pages.headers(landing.tx, workspace, ids)).map((page) => [page.id, page]),
  );
  const notes = new Map<PageId, string>();
  for (const batch of await ownBatches(undoing, events, headers)) {
    const { restored } = await takeOut(use, landing, { batch });
    for (const { page, note } of restored) notes.set(page.id, note ?? '');
  }
  return events.flatMap((event) => {
    const page = event.page === null ? undefined : headers.get(event.page);
    if (!page) return event.page === null ? [] : stepOf(event, '', 'kept', { reason: 'the page is gone' });
    if (page.trashBatch === null) return stepOf(event, page.title, 'nothing');
    const note = notes.get(page.id);
    if (note === undefined)
      return stepOf(event, page.title, 'kept', { reason: 'others threw it away since' });
    return stepOf(event, page.title, 'undone', note === '' ? {} : { reason: note });
  });
}

/** The batches that the pages lie in now, as far as the run itself, or the undoing of its undoing, put them there. */
async function ownBatches(
  undoing: Undoing,
  events: readonly WorkspaceEvent[],
  headers: ReadonlyMap<PageId, PageHeader>,
): Promise<ReadonlySet<BatchId>> {
  const batches = new Set<BatchId>();
  for (const event of events) {
    const header = event.page === null ? undefined : headers.get(event.page);
    if (!header || header.trashBatch === null || batches.has(header.trashBatch)) continue;
    const other = await othersSince(
      undoing,
      header.id,
      event.sequence,
      ({ kind }) => kind === 'page_trashed',
    );
    if (!other) batches.add(header.trashBatch);
  }
  return batches;
}
