/** Takes pages in the trash away for good. What is left is their events and a last one that says so; ids are never used again. */
import { SluiceError } from '../../kernel/errors.ts';
import { type BatchId, isUuid, type PageId, type WorkspaceId } from '../../kernel/ids.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import type { WorkspaceMeans } from './means.ts';
import type { PageHeader } from './page.ts';
import { requireMayChange, workspaceOf } from './page-rules.ts';
import type { NewEvent } from './ports/event-log.ts';
import { decisionOf } from './proposals/candidates.ts';
import { recordChange } from './record-change.ts';

export type PurgeWish =
  | { readonly page: string }
  | { readonly batch: string }
  | { readonly olderThanDays: number };

export interface Purged {
  readonly pages: readonly PageHeader[];
  /** More of what was asked for is still there. */
  readonly more: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** In one call, so that others get their turn. */
const MOST_AT_ONCE = 500;

export async function purgePages(use: WorkspaceMeans, ticket: WriteTicket, wish: PurgeWish): Promise<Purged> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const chosen = await choose(use, landing, workspace, wish);
  const pages = chosen.slice(0, MOST_AT_ONCE);
  requireMayChange(submission, pages);
  if (pages.length === 0) return { pages, more: false };
  const ids = pages.map((page) => page.id);
  const closed = await closeProposals(use, landing, workspace, ids);
  // What the caller does not see and lies below stays in the trash, below nothing.
  await use.trash.purge(tx.unveiled, ids);
  for (const batch of new Set(pages.flatMap((page) => page.trashBatch ?? [])))
    if ((await use.pages.trashed(tx.unveiled, batch)).length === 0)
      await use.trash.markRestored(tx.unveiled, batch, submission.at);
  await recordChange(use, landing, workspace, [
    ...closed,
    ...pages.map((page) => ({
      kind: 'page_purged' as const,
      page: page.id,
      beforeVersion: page.version,
      afterVersion: null,
      details: { batch: page.trashBatch },
    })),
  ]);
  return { pages, more: chosen.length > pages.length };
}

const REASON = 'Its page was purged';

/** Nothing can become of what waits for a page that is gone. */
async function closeProposals(
  use: WorkspaceMeans,
  landing: Landing,
  workspace: WorkspaceId,
  pages: readonly PageId[],
): Promise<readonly NewEvent[]> {
  const waiting = await use.proposals.pendingOfPages(landing.tx.unveiled, workspace, pages);
  const events: NewEvent[] = [];
  for (const { id, page, op, by } of waiting) {
    await use.proposals.decide(landing.tx, id, 'rejected', decisionOf(landing, REASON));
    const details = { proposal: id, op, proposed_by: by.principal.name, reason: REASON };
    events.push({ kind: 'proposal_rejected', page, beforeVersion: null, afterVersion: null, details });
  }
  return events;
}

async function choose(
  use: WorkspaceMeans,
  landing: Landing,
  workspace: WorkspaceId,
  wish: PurgeWish,
): Promise<readonly PageHeader[]> {
  const { tx, submission } = landing;
  if ('olderThanDays' in wish) {
    const before = submission.at - wish.olderThanDays * DAY_MS;
    const ids = await use.trash.expired(tx, workspace, before, MOST_AT_ONCE + 1);
    return use.pages.headers(tx, workspace, ids);
  }
  if ('page' in wish) return withBelow(use, landing, workspace, wish.page);
  const batch = await use.trash.find(tx, workspace, wish.batch as BatchId);
  const pages = batch ? await use.pages.trashed(tx, batch.id) : [];
  if (pages.length > 0) return pages;
  throw new SluiceError('not_found', `There is nothing of the batch "${wish.batch}" in the trash`, {
    field: 'batch',
  });
}

/** With everything that went into the trash below it in the same deletion. */
async function withBelow(
  use: WorkspaceMeans,
  { tx }: Landing,
  workspace: WorkspaceId,
  reference: string,
): Promise<readonly PageHeader[]> {
  const [page] = isUuid(reference) ? await use.pages.headers(tx, workspace, [reference as PageId]) : [];
  if (!page)
    throw new SluiceError(
      'not_found',
      `There is no page "${reference}" in the trash; list_trash gives the ids`,
      {
        field: 'page',
      },
    );
  if (page.trashBatch === null)
    throw new SluiceError('conflict', `"${page.title}" is not in the trash; delete_page puts it there`, {
      reason: 'live',
      field: 'page',
    });
  const children = Map.groupBy(await use.pages.trashed(tx, page.trashBatch), (one) => one.parent);
  const found = [page];
  for (const one of found) found.push(...(children.get(one.id) ?? []));
  return found;
}
