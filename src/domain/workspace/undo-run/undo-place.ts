/** Takes one change of a page's names, place or icon back, unless others changed those since. */
import { z } from 'zod';
import { applyMetadata } from '../change-metadata.ts';
import type { Page } from '../page.ts';
import { requireMayChange } from '../page-rules.ts';
import type { WorkspaceEvent } from '../ports/event-log.ts';
import { differences, type Placing, placeBack } from '../undo-change.ts';
import { kept, stepOf, type UndoStep } from './step.ts';
import { livePage } from './undo-text.ts';
import { othersSince, type Undoing } from './undoing.ts';

const PLACING = new Set(['page_renamed', 'page_moved', 'metadata_changed']);

/** `events` are all of the change: the page's own first, then the pages whose links were rewritten for it. */
export async function undoPlace(
  undoing: Undoing,
  event: Placing,
  events: readonly WorkspaceEvent[],
): Promise<readonly UndoStep[]> {
  const { use, landing } = undoing;
  const page = await livePage(undoing, event);
  const aliases = await use.pages.aliases(landing.tx, page.id);
  if (isFormer(page, aliases, differences.parse(event.details)))
    return [stepOf(event, page.title, 'nothing')];
  await refuseForeign(undoing, page, event);
  requireMayChange(landing.submission, [page]);
  const placed = await placeBack(use, landing, page, event, false);
  const rewritten = events.slice(1).flatMap((other) => other.page ?? []);
  const titles = await use.pages.headers(landing.tx, page.workspace, rewritten);
  const titleOf = new Map(titles.map(({ id, title }) => [id, title]));
  const skipped = new Map(placed.skipped.map((one) => [one.page, one.reason]));
  return [
    stepOf(event, placed.page.title, 'undone'),
    ...events.slice(1).flatMap((other) => {
      if (other.page === null) return [];
      const [title, reason] = [titleOf.get(other.page) ?? '', skipped.get(other.page)];
      return reason === undefined ? stepOf(other, title, 'undone') : stepOf(other, title, 'kept', { reason });
    }),
  ];
}

const isFormer = (page: Page, aliases: readonly string[], did: z.output<typeof differences>): boolean =>
  (did.title?.from ?? page.title) === page.title &&
  (did.slug?.from ?? page.slug) === page.slug &&
  (did.parent ? did.parent.from === page.parent : true) &&
  (did.position?.from ?? page.position) === page.position &&
  (did.alias_added === undefined || !aliases.includes(did.alias_added)) &&
  (did.alias_removed === undefined || aliases.includes(did.alias_removed));

const metadata = z.object({
  title: z.object({ from: z.string(), to: z.string() }).optional(),
  icon: z.object({ from: z.string().nullable(), to: z.string().nullable() }).optional(),
});

export async function undoMetadata(undoing: Undoing, event: WorkspaceEvent): Promise<UndoStep> {
  const { use, landing } = undoing;
  const page = await livePage(undoing, event);
  const { title, icon } = metadata.parse(event.details);
  if (!title && !icon) throw kept('it is not known how it was before');
  const wanted = { ...(title && { title: title.from }), ...(icon && { icon: icon.from }) };
  if ((!title || title.from === page.title) && (!icon || icon.from === page.icon))
    return stepOf(event, page.title, 'nothing');
  await refuseForeign(undoing, page, event);
  const changed = await applyMetadata(use, landing, page, wanted);
  return stepOf(event, changed.page.title, 'undone');
}

async function refuseForeign(undoing: Undoing, page: Page, event: WorkspaceEvent): Promise<void> {
  const other = await othersSince(undoing, page.id, event.sequence, ({ kind }) => PLACING.has(kind));
  if (other) throw kept(`${other.principalName} renamed, moved or described the page otherwise since`);
}
