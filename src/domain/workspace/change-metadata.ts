/** Changes a page's title or icon without touching any text. Links are not rewritten; `renamePage` does that. */
import type { WorkspaceId } from '../../kernel/ids.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { applyRelink } from './apply-relink.ts';
import { loadPage } from './find-page.ts';
import { indexWords } from './land-text.ts';
import type { WorkspaceMeans } from './means.ts';
import { checkTitle } from './names.ts';
import type { Page, PageHeader } from './page.ts';
import { type Match, requireMatch, requireMayChange, workspaceOf } from './page-rules.ts';
import { movedSubtree, placedSubtree } from './place-page.ts';
import { planRelink } from './plan-relink.ts';
import type { LinkEntry } from './ports/link-store.ts';
import { recordChange } from './record-change.ts';

export interface MetadataChange extends Match {
  readonly page: string;
  readonly title?: string | undefined;
  /** Null takes it away. */
  readonly icon?: string | null | undefined;
}

export interface ChangedMetadata {
  readonly page: PageHeader;
  readonly changed: boolean;
  /** How many links led to it, or to a page below, by what it was called and lead nowhere now; as the caller sees it. */
  readonly brokenLinks: number;
}

export async function changeMetadata(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  wanted: MetadataChange,
): Promise<ChangedMetadata> {
  const landing = requireTicket(ticket, 'page', 'land');
  const page = await loadPage(use, landing.tx, workspaceOf(landing.submission), wanted.page);
  requireMayChange(landing.submission, [page]);
  requireMatch(page, wanted);
  return applyMetadata(use, landing, page, wanted);
}

export async function applyMetadata(
  use: WorkspaceMeans,
  landing: Landing,
  page: Page,
  wanted: Omit<MetadataChange, 'page'>,
): Promise<ChangedMetadata> {
  const { tx, submission } = landing;
  const { workspace } = page;
  requireMayChange(submission, [page]);
  const title = wanted.title === undefined ? page.title : checkTitle(wanted.title);
  const icon = wanted.icon === undefined ? page.icon : wanted.icon;
  if (title === page.title && icon === page.icon) return { page, changed: false, brokenLinks: 0 };
  const changed = {
    title,
    icon,
    updatedAt: submission.at,
    updatedBy: submission.caller.principal.name,
  };
  let brokenLinks = 0;
  if (title !== page.title) {
    const below = await use.pages.subtree(tx.unveiled, workspace, page.id);
    const before = await placedSubtree(use, tx.unveiled, below);
    const root = before.find((placed) => placed.page === page.id);
    const way = root?.way.map((step) => (step.id === page.id ? { ...step, title } : step)) ?? [];
    const placed = root ? movedSubtree(before, { ...root, title, way }) : [];
    const plan = await planRelink(use, tx, {
      workspace,
      change: { removed: new Set(), placed },
      before,
    });
    await use.pages.update(tx, page.id, changed);
    await use.files.clearPaths(tx, page.id);
    await applyRelink(use, landing, workspace, plan);
    brokenLinks = await countShown(use, landing, workspace, plan.broken);
    await indexWords(use, landing, { id: page.id, title }, page.content);
  } else {
    await use.pages.update(tx, page.id, changed);
  }
  await recordChange(use, landing, workspace, [
    {
      kind: 'metadata_changed',
      page: page.id,
      beforeVersion: page.version,
      afterVersion: page.version,
      details: {
        ...(title !== page.title && { title: { from: page.title, to: title } }),
        ...(icon !== page.icon && { icon: { from: page.icon, to: icon } }),
      },
    },
  ]);
  return { page: { ...page, ...changed }, changed: true, brokenLinks };
}

/** Links between pages that are there for the caller. */
async function countShown(
  use: WorkspaceMeans,
  { tx }: Landing,
  workspace: WorkspaceId,
  links: readonly LinkEntry[],
): Promise<number> {
  const ids = new Set(links.flatMap(({ source, target }) => (target === null ? [source] : [source, target])));
  const shown = new Set((await use.pages.headers(tx, workspace, [...ids])).map(({ id }) => id));
  return links.filter(({ source, target }) => shown.has(source) && target !== null && shown.has(target))
    .length;
}
