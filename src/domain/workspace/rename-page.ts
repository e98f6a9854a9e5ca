/** Renames a page and everything that links to it, in one unit. */
import { SluiceError } from '../../kernel/errors.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { applyRelink, foreseeRelink, type RelinkOutcome } from './apply-relink.ts';
import { loadPage } from './find-page.ts';
import { indexWords } from './land-text.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Placed } from './name-view.ts';
import { checkTitle, nameKey, slugOf } from './names.ts';
import type { Page } from './page.ts';
import { requireMayChange, workspaceOf } from './page-rules.ts';
import { movedSubtree, placedSubtree, slugAmong } from './place-page.ts';
import { planRelink, type RelinkPlan } from './plan-relink.ts';
import { recordChange } from './record-change.ts';

export interface Rename {
  readonly page: string;
  readonly title: string;
  readonly dryRun: boolean;
  /** The old title goes on answering. */
  readonly keepAlias: boolean;
}

export interface Renamed extends Omit<RelinkOutcome, 'events'> {
  readonly page: Page;
  readonly changed: boolean;
}

export async function renamePage(use: WorkspaceMeans, ticket: WriteTicket, rename: Rename): Promise<Renamed> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const page = await loadPage(use, tx, workspace, rename.page);
  requireMayChange(submission, [page]);
  const title = checkTitle(rename.title);
  if (title === page.title) return { page, changed: false, updatedPages: 0, updatedLinks: 0, skipped: [] };
  if (rename.keepAlias) await checkAlias(use, landing, page);
  const slug = await slugFor(use, landing, page, title);
  const plan = await planRename(use, landing, page, title, slug, rename.keepAlias);
  if (rename.dryRun) return { page: { ...page, title, slug }, changed: false, ...foreseeRelink(plan) };
  const stamp = { updatedAt: submission.at, updatedBy: submission.caller.principal.name };
  await use.pages.update(tx, page.id, { title, slug, ...stamp });
  await use.files.clearPaths(tx, page.id);
  if (rename.keepAlias) await use.pages.addAlias(tx, page, page.title);
  // A name that the page has again needs no alias any more.
  await use.pages.removeAlias(tx, page.id, title);
  const outcome = await applyRelink(use, landing, workspace, plan);
  const renamed = (await use.pages.find(tx, workspace, page.id)) ?? page;
  await indexWords(use, landing, renamed, renamed.content);
  await recordChange(use, landing, workspace, [
    {
      kind: 'page_renamed',
      page: page.id,
      beforeVersion: page.version,
      afterVersion: page.version,
      details: {
        title: { from: page.title, to: title },
        slug: { from: page.slug, to: slug },
        pages: outcome.updatedPages,
        links: outcome.updatedLinks,
      },
    },
    ...outcome.events,
  ]);
  const { events: _, ...report } = outcome;
  return { page: renamed, changed: true, ...report };
}

/** A slug is never renumbered: as long as the title asks for the same one, it stays. */
async function slugFor(use: WorkspaceMeans, { tx }: Landing, page: Page, title: string): Promise<string> {
  const wanted = slugOf(title);
  if (nameKey(wanted) === nameKey(slugOf(page.title))) return page.slug;
  return slugAmong(use, tx, page.workspace, page.parent, wanted, page.slug);
}

async function planRename(
  use: WorkspaceMeans,
  { tx }: Landing,
  page: Page,
  title: string,
  slug: string,
  keepAlias: boolean,
): Promise<RelinkPlan> {
  const { workspace } = page;
  const before = await placedSubtree(use, tx, await use.pages.subtree(tx, workspace, page.id));
  const root = before.find((placed) => placed.page === page.id);
  if (!root) throw new SluiceError('not_found', `There is no page "${page.title}"`, { field: 'page' });
  const way = root.way.map((step) => (step.id === page.id ? { ...step, title, slug } : step));
  const aliases = keepAlias ? [...root.aliases, page.title] : root.aliases;
  const placed = movedSubtree(before, { ...root, title, slug, aliases, way });
  const removed = new Set<Page['id']>();
  // Links that the alias would still serve are rewritten all the same: an alias is for links from outside.
  const lasting = {
    removed,
    placed: placed.map((one) => (one.page === page.id ? withoutAlias(one, page) : one)),
  };
  return planRelink(use, tx, {
    workspace,
    change: { removed, placed },
    ...(keepAlias && { lasting }),
    before,
    rewrite: true,
  });
}

const withoutAlias = (placed: Placed, { title }: Page): Placed => ({
  ...placed,
  aliases: placed.aliases.filter((alias) => nameKey(alias) !== nameKey(title)),
});

async function checkAlias(use: WorkspaceMeans, { tx }: Landing, page: Page): Promise<void> {
  const named = await use.pages.named(tx, page.workspace, [nameKey(page.title)]);
  const other = named.find((match) => match.page.id !== page.id);
  if (!other) return;
  throw new SluiceError('conflict', `"${page.title}" cannot stay as an alias: another page answers to it`, {
    reason: 'alias',
    page: other.page.id,
  });
}
