/** Moves a page, with everything below it, to another parent or place. Links go on meaning what they meant. */
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { findPage, loadPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import { type Match, requireMatch, requireMayChange, requireMayMove, workspaceOf } from './page-rules.ts';
import { asItIs, type PlacedAnew, placeAnew } from './place-anew.ts';
import { positionAmong, slugAmong } from './place-page.ts';
import { keepMeanings } from './plan-relink.ts';

export interface Move extends Match {
  readonly page: string;
  /** Null = the root. */
  readonly parent: string | null;
  /** Index among the siblings, 0 = first; left out = last. */
  readonly position?: number | undefined;
  readonly dryRun: boolean;
}

export async function movePage(use: WorkspaceMeans, ticket: WriteTicket, move: Move): Promise<PlacedAnew> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const page = await loadPage(use, tx, workspace, move.page);
  requireMayChange(submission, [page]);
  requireMatch(page, move);
  const target = move.parent === null ? null : await findPage(use, tx, workspace, move.parent, 'parent');
  const [from] = page.parent === null ? [] : await use.pages.headers(tx, workspace, [page.parent]);
  requireMayMove(submission, page, from ?? null, target);
  const parent = target?.id ?? null;
  const stays = page.parent === parent;
  if (stays && move.position === undefined) return asItIs(use, landing, page);
  const own = stays ? page.slug : undefined;
  const slug = await slugAmong(use, tx, workspace, parent, page.slug, own);
  const position = await positionAmong(use, tx, workspace, parent, move.position, page);
  if (stays && position === page.position) return asItIs(use, landing, page);
  const to = { title: page.title, slug, parent, position };
  const options = { kind: 'page_moved', dryRun: move.dryRun, wishes: keepMeanings } as const;
  return placeAnew(use, landing, page, to, options);
}
