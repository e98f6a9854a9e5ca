/**
 * Takes a rename or a move back, in one unit: names, place, aliases and the links it rewrote. What others changed since
 * stays. The undoing is a change of the same kind, and can be undone like any other.
 */
import { z } from 'zod';
import { SluiceError } from '../../kernel/errors.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { formerLinks } from './former-links.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Page } from './page.ts';
import { requireMayChange, requireMayMove, workspaceOf } from './page-rules.ts';
import { type NewPlace, type PlacedAnew, placeAnew } from './place-anew.ts';
import { freePosition, slugAmong } from './place-page.ts';
import type { WorkspaceEvent } from './ports/event-log.ts';

export interface Undo {
  readonly change: number;
  readonly dryRun: boolean;
}

export const differences = z.object({
  title: z.object({ from: z.string(), to: z.string() }).optional(),
  slug: z.object({ from: z.string(), to: z.string() }).optional(),
  parent: z.object({ from: z.string().nullable(), to: z.string().nullable() }).optional(),
  position: z.object({ from: z.string(), to: z.string() }).optional(),
  alias_added: z.string().optional(),
  alias_removed: z.string().optional(),
});

export async function undoChange(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  { change, dryRun }: Undo,
): Promise<PlacedAnew> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const events = await use.events.ofChange(tx.unveiled, workspace, change);
  const [shown] = await use.events.ofChange(tx, workspace, change);
  const first = shown?.sequence === events[0]?.sequence ? shown : undefined;
  const { page, event } = await undoable(use, landing, workspace, change, first);
  requireMayChange(submission, [page]);
  await refuseTwice(use, landing, page, change);
  return placeBack(use, landing, page, event, dryRun);
}

/** With the links that were rewritten for it, also where the caller does not see them. */
export async function placeBack(
  use: WorkspaceMeans,
  landing: Landing,
  page: Page,
  event: Placing,
  dryRun: boolean,
): Promise<PlacedAnew> {
  const { unveiled } = landing.tx;
  const to = await formerPlace(use, landing, page, event);
  await requireEnds(use, landing, page, to);
  const events = await use.events.ofChange(unveiled, page.workspace, event.change);
  const links = await formerLinks(use, unveiled, page.workspace, events);
  return placeAnew(use, landing, page, to, { kind: event.kind, dryRun, undoes: event.change, ...links });
}

export type Placing = WorkspaceEvent & { readonly kind: 'page_renamed' | 'page_moved' };

async function undoable(
  use: WorkspaceMeans,
  { tx }: Landing,
  workspace: WorkspaceId,
  change: number,
  event: WorkspaceEvent | undefined,
): Promise<{ readonly page: Page; readonly event: Placing }> {
  if (!event) throw new SluiceError('not_found', `There is no change ${change}`, { field: 'change' });
  if (!isPlacing(event) || event.page === null) {
    const what = `Change ${change} is no rename and no move; only those can be undone`;
    throw new SluiceError('invalid_input', what, { field: 'change' });
  }
  const page = await use.pages.find(tx, workspace, event.page);
  if (page && page.trashBatch === null) return { page, event };
  throw new SluiceError('conflict', `The page of change ${change} is gone`, {
    reason: 'gone',
    field: 'change',
  });
}

export const isPlacing = (event: WorkspaceEvent): event is Placing =>
  event.kind === 'page_renamed' || event.kind === 'page_moved';

const EVENTS_AT_ONCE = 100;

async function refuseTwice(use: WorkspaceMeans, { tx }: Landing, page: Page, change: number): Promise<void> {
  for (let before: number | undefined; ; ) {
    const events = await use.events.ofPage(tx, page.id, EVENTS_AT_ONCE, before);
    const undone = events.find((event) => isPlacing(event) && event.details.undoes === change);
    if (undone) {
      const what = `Change ${change} was undone already, by change ${undone.change}`;
      throw new SluiceError('conflict', what, { reason: 'undone', change: undone.change, field: 'change' });
    }
    before = events.at(-1)?.sequence;
    if (before === undefined || before <= change) return;
  }
}

/** Only what the change did is taken back, and only where it still stands. */
async function formerPlace(
  use: WorkspaceMeans,
  { tx }: Landing,
  page: Page,
  event: WorkspaceEvent,
): Promise<NewPlace> {
  const { workspace } = page;
  const did = differences.parse(event.details);
  if ((did.title && did.title.to !== page.title) || (did.parent && did.parent.to !== page.parent)) {
    const what = `"${page.title}" was renamed or moved again since change ${event.change}; undo that first`;
    throw new SluiceError('conflict', what, { reason: 'changed', field: 'change' });
  }
  const parent = did.parent ? await liveParent(use, tx, page, did.parent.from as PageId | null) : page.parent;
  const own = parent === page.parent ? page.slug : undefined;
  return {
    title: did.title?.from ?? page.title,
    slug: await slugAmong(use, tx, workspace, parent, did.slug?.from ?? page.slug, own),
    parent,
    // A key that was the same in both places is not noted, and may be another's by now.
    position:
      did.position || parent !== page.parent
        ? await freePosition(use, tx, workspace, parent, did.position?.from ?? page.position)
        : page.position,
    gainsAlias: did.alias_removed,
    losesAlias: did.alias_added,
  };
}

async function requireEnds(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  page: Page,
  to: NewPlace,
): Promise<void> {
  if (to.parent === page.parent) return;
  const ends = [page.parent, to.parent].flatMap((id) => id ?? []);
  const headers = new Map((await use.pages.headers(tx, page.workspace, ends)).map((end) => [end.id, end]));
  const at = (id: PageId | null) => (id === null ? null : (headers.get(id) ?? null));
  requireMayMove(submission, page, at(page.parent), at(to.parent));
}

async function liveParent(
  use: WorkspaceMeans,
  tx: Landing['tx'],
  page: Page,
  parent: PageId | null,
): Promise<PageId | null> {
  if (parent === null) return null;
  const [header] = await use.pages.headers(tx, page.workspace, [parent]);
  if (header && header.trashBatch === null) return parent;
  const what = `The page that "${page.title}" was moved away from is gone`;
  throw new SluiceError('conflict', what, { reason: 'gone', field: 'change' });
}
