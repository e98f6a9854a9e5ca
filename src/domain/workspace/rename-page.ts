/** Renames a page and everything that links to it, in one unit. */
import { SluiceError } from '../../kernel/errors.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { loadPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import { checkTitle, nameKey, slugOf } from './names.ts';
import type { Page } from './page.ts';
import { type Match, requireMatch, requireMayChange, workspaceOf } from './page-rules.ts';
import { asItIs, type PlacedAnew, placeAnew } from './place-anew.ts';
import { slugAmong } from './place-page.ts';
import { keepMeanings } from './plan-relink.ts';

export interface Rename extends Match {
  readonly page: string;
  readonly title: string;
  readonly dryRun: boolean;
  /** The old title goes on answering. */
  readonly keepAlias: boolean;
}

export async function renamePage(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  rename: Rename,
): Promise<PlacedAnew> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const page = await loadPage(use, tx, workspaceOf(submission), rename.page);
  requireMayChange(submission, [page]);
  requireMatch(page, rename);
  const title = checkTitle(rename.title);
  if (title === page.title) return asItIs(use, landing, page);
  if (rename.keepAlias) await checkAlias(use, landing, page);
  const { parent, position } = page;
  const to = {
    title,
    slug: await slugFor(use, landing, page, title),
    parent,
    position,
    // A title that differs in case alone answers to the old one already.
    gainsAlias: rename.keepAlias && nameKey(page.title) !== nameKey(title) ? page.title : undefined,
    // A name that the page has again needs no alias any more.
    losesAlias: (await use.pages.aliases(tx, page.id)).find((alias) => nameKey(alias) === nameKey(title)),
  };
  const options = { kind: 'page_renamed', dryRun: rename.dryRun, wishes: keepMeanings } as const;
  return placeAnew(use, landing, page, to, options);
}

/** A slug is never renumbered: as long as the title asks for the same one, it stays. */
async function slugFor(use: WorkspaceMeans, { tx }: Landing, page: Page, title: string): Promise<string> {
  const wanted = slugOf(title);
  if (nameKey(wanted) === nameKey(slugOf(page.title))) return page.slug;
  return slugAmong(use, tx, page.workspace, page.parent, wanted, page.slug);
}

async function checkAlias(use: WorkspaceMeans, { tx }: Landing, page: Page): Promise<void> {
  const named = await use.pages.named(tx, page.workspace, [nameKey(page.title)]);
  const other = named.find((match) => match.page.id !== page.id);
  if (!other) return;
  throw new SluiceError('conflict', `"${page.title}" cannot stay as an alias: another page answers to it`, {
    reason: 'alias',
    page: other.page.id,
  });
}
