/** Puts a page where its file was moved to. No link is rewritten: whoever moves files sees to what they say. */
import type { PageId } from '../../../kernel/ids.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import type { WorkspaceMeans } from '../means.ts';
import { checkTitle, nameKey, slugOf } from '../names.ts';
import type { Page } from '../page.ts';
import { requireMayChange, workspaceOf } from '../page-rules.ts';
import { placeAnew } from '../place-anew.ts';
import { positionAmong, slugAmong } from '../place-page.ts';
import { landTrash } from '../trash-page.ts';

export async function placeFile(
  use: WorkspaceMeans,
  landing: Landing,
  page: Page,
  name: string,
  parent: PageId | null,
): Promise<void> {
  const { tx, submission } = landing;
  requireMayChange(submission, [page]);
  const title = checkTitle(name);
  const stays = page.parent === parent;
  if (stays && title === page.title) return;
  const alike = stays && nameKey(slugOf(title)) === nameKey(slugOf(page.title));
  const own = stays ? page.slug : undefined;
  const slug = alike ? page.slug : await slugAmong(use, tx, page.workspace, parent, slugOf(title), own);
  const position = stays ? page.position : await positionAmong(use, tx, page.workspace, parent);
  const kind = stays ? 'page_renamed' : 'page_moved';
  await placeAnew(use, landing, page, { title, slug, parent, position }, { kind, dryRun: false });
}

/** Pages that only stood for folders and have nothing below them any more. */
export async function pruneFolders(
  use: WorkspaceMeans,
  landing: Landing,
  emptied: Iterable<PageId | null>,
): Promise<void> {
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  for (let id of emptied) {
    while (id !== null) {
      const [page] = await use.files.filed(tx, workspace, [id]);
      if (!page?.isEmpty || !page.path?.endsWith('/')) break;
      if ((await use.files.children(tx, workspace, id)).length > 0) break;
      const [header] = await use.pages.headers(tx, workspace, [id]);
      if (header) await landTrash(use, landing, header);
      id = page.parent;
    }
  }
}
