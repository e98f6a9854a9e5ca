/** Paths that begin as what somebody has typed so far: the page before the last slash, then what is right below it. */
import { SluiceError } from '../../kernel/errors.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { findPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import { nameKey } from './names.ts';

export async function suggestPaths(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  typed: string,
): Promise<readonly string[]> {
  const slash = typed.lastIndexOf('/');
  const above = typed.slice(0, Math.max(0, slash));
  const parent = above === '' ? null : await idOf(use, scope, workspace, above);
  if (parent === undefined) return [];
  const slugs = await use.pages.siblingSlugs(scope, workspace, parent, nameKey(typed.slice(slash + 1)));
  return [...slugs].sort().map((slug) => (above === '' ? slug : `${above}/${slug}`));
}

/** Undefined when there is no such page, or more than one. */
async function idOf(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  path: string,
): Promise<PageId | undefined> {
  try {
    return (await findPage(use, scope, workspace, path)).id;
  } catch (error) {
    if (error instanceof SluiceError) return undefined;
    throw error;
  }
}
