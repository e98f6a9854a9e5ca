/** Moves a page, with everything below it, to another parent or place. Links go on meaning what they meant. */
import { SluiceError } from '../../kernel/errors.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { applyRelink, type RelinkOutcome } from './apply-relink.ts';
import { findPage, loadPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Page, PageHeader } from './page.ts';
import { requireMayChange, workspaceOf } from './page-rules.ts';
import { checkDepth, movedSubtree, placedSubtree, positionAmong, slugAmong, wayTo } from './place-page.ts';
import { planRelink } from './plan-relink.ts';
import { recordChange } from './record-change.ts';

export interface Move {
  readonly page: string;
  /** Null = the root. */
  readonly parent: string | null;
  /** Index among the siblings, 0 = first; left out = last. */
  readonly position?: number | undefined;
}

export interface Moved extends Omit<RelinkOutcome, 'events'> {
  readonly page: Page;
  readonly changed: boolean;
}

export async function movePage(use: WorkspaceMeans, ticket: WriteTicket, move: Move): Promise<Moved> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const page = await loadPage(use, tx, workspace, move.page);
  requireMayChange(submission, [page]);
  const parent = move.parent === null ? null : await findPage(use, tx, workspace, move.parent, 'parent');
  const parentWay = await wayTo(use, tx, parent?.id ?? null);
  refuseCycle(page, parent, parentWay);
  const before = await placedSubtree(use, tx, await use.pages.subtree(tx, workspace, page.id));
  const root = before.find((placed) => placed.page === page.id);
  if (!root) throw new SluiceError('not_found', `There is no page "${move.page}"`, { field: 'page' });
  checkDepth(parentWay.length + Math.max(...before.map((placed) => placed.way.length - root.way.length + 1)));
  const stays = page.parent === (parent?.id ?? null);
  if (stays && move.position === undefined) return unmoved(page);
  const slug = await slugAmong(
    use,
    tx,
    workspace,
    parent?.id ?? null,
    page.slug,
    stays ? page.slug : undefined,
  );
  const position = await positionAmong(use, tx, workspace, parent?.id ?? null, move.position, page);
  if (stays && position === page.position) return unmoved(page);
  const way = [...parentWay, { id: page.id, title: page.title, slug }];
  const change = { removed: new Set<Page['id']>(), placed: movedSubtree(before, { ...root, slug, way }) };
  const plan = await planRelink(use, tx, { workspace, change, before, rewrite: true });
  await use.pages.update(tx, page.id, {
    parent: parent?.id ?? null,
    slug,
    position,
    updatedAt: submission.at,
    updatedBy: submission.caller.principal.name,
  });
  if (!stays) await use.files.clearPaths(tx, page.id);
  const { events, ...report } = await applyRelink(use, landing, workspace, plan);
  await recordChange(use, landing, workspace, [
    {
      kind: 'page_moved',
      page: page.id,
      beforeVersion: page.version,
      afterVersion: page.version,
      details: {
        parent: { from: page.parent, to: parent?.id ?? null },
        ...(slug !== page.slug && { slug: { from: page.slug, to: slug } }),
        position: { from: page.position, to: position },
      },
    },
    ...events,
  ]);
  const moved = await use.pages.find(tx, workspace, page.id);
  return { page: moved ?? page, changed: true, ...report };
}

const unmoved = (page: Page): Moved => ({
  page,
  changed: false,
  updatedPages: 0,
  updatedLinks: 0,
  skipped: [],
});

function refuseCycle(
  page: PageHeader,
  parent: PageHeader | null,
  way: readonly { readonly id: string }[],
): void {
  if (!way.some((step) => step.id === page.id)) return;
  const what = parent?.id === page.id ? 'itself' : `"${parent?.title}", which lies below it`;
  throw new SluiceError('conflict', `"${page.title}" cannot be moved under ${what}`, {
    reason: 'cycle',
    field: 'parent',
  });
}
