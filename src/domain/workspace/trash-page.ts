/** Puts a page and everything below it into the trash, as one batch that remembers where each of them was. */
import type { BatchId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { applyRelink } from './apply-relink.ts';
import { findPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import type { PageHeader } from './page.ts';
import { type Match, requireMatch, requireMayChange, workspaceOf } from './page-rules.ts';
import { placedSubtree } from './place-page.ts';
import { planRelink } from './plan-relink.ts';
import { recordChange } from './record-change.ts';

export interface Trashed {
  readonly batch: BatchId;
  readonly pages: readonly PageHeader[];
}

export async function trashPage(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  reference: string,
  match: Match = {},
): Promise<Trashed> {
  const landing = requireTicket(ticket, 'page', 'land');
  const page = await findPage(use, landing.tx, workspaceOf(landing.submission), reference);
  requireMayChange(landing.submission, [page]);
  requireMatch(page, match);
  return landTrash(use, landing, page);
}

/** As part of a larger change, with everything below it; several at once are one batch. */
export async function landTrash(
  use: WorkspaceMeans,
  landing: Landing,
  root: PageHeader,
  roots: readonly PageHeader[] = [root],
): Promise<Trashed> {
  const { tx, submission } = landing;
  const { workspace } = root;
  const below = async (scope: ReadScope): Promise<PageHeader[]> => {
    const all: (readonly PageHeader[])[] = [];
    for (const { id } of roots) all.push(await use.pages.subtree(scope, workspace, id));
    return all.flat();
  };
  const shown = await below(tx);
  requireMayChange(submission, shown);
  // What the caller does not see goes along with what it lies below.
  const pages = await below(tx.unveiled);
  const before = await placedSubtree(use, tx.unveiled, pages);
  const change = { removed: new Set(pages.map((page) => page.id)), placed: [] };
  const plan = await planRelink(use, tx, { workspace, change, before });
  const batch = use.ids.next<BatchId>();
  const { principal } = submission.caller;
  await use.trash.add(
    tx,
    {
      id: batch,
      workspace,
      root: root.id,
      at: submission.at,
      principal: principal.id,
      principalName: principal.name,
      restoredAt: null,
    },
    pages.map(({ id, parent, position, slug }) => ({ page: id, parent, position, slug })),
  );
  for (const page of pages) {
    await use.pages.update(tx, page.id, { trashBatch: batch });
    await use.search.remove(tx, page.id);
  }
  await applyRelink(use, landing, workspace, plan);
  await recordChange(
    use,
    landing,
    workspace,
    pages.map((page) => ({
      kind: 'page_trashed',
      page: page.id,
      beforeVersion: page.version,
      afterVersion: page.version,
      details: { batch },
    })),
  );
  return { batch, pages: shown };
}
