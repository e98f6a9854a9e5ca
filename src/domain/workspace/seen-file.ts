/** What is remembered of a page's file, so that what is compared with it next is told from an old text of the page. */
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { Landing } from '../../kernel/ticket.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Page } from './page.ts';
import { workspaceOf } from './page-rules.ts';
import type { PageFile } from './ports/file-store.ts';

/** How far back an old text is looked for. */
const VERSIONS_SEARCHED = 100;

/**
 * What an import saw stays, because the next one has nothing else to compare with; a sync keeps in its folder what was
 * agreed on there.
 */
export async function rememberFile(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  file: PageFile,
): Promise<void> {
  if (file.seenBy === 'import') return use.files.bind(tx, file);
  const there = await use.files.atPaths(tx, workspaceOf(submission), [file.path]);
  const known = there.find(({ page, seenBy }) => page === file.page && seenBy === 'import');
  await use.files.bind(tx, known ? { ...known, dialect: file.dialect } : file);
}

/** The newest version that had this text. */
export async function versionWith(
  use: WorkspaceMeans,
  scope: ReadScope,
  page: Page,
  text: string,
): Promise<string | undefined> {
  const events = await use.events.ofPage(scope, page.id, VERSIONS_SEARCHED);
  const document = await use.documents.load(scope, page.id);
  const versions = new Set(events.flatMap(({ afterVersion }) => afterVersion ?? []));
  return [...versions].find((version) => use.texts.textAt(document, version) === text);
}
