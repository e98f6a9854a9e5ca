/** Which file each live page is, without its text: what a synced folder is compared with. */
import { z } from 'zod';
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { Lifecycle } from '../../../kernel/submission.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { idsBelow, isFolder } from '../export-pages.ts';
import { FileNames } from '../file-names.ts';
import { findPage } from '../find-page.ts';
import type { WorkspaceMeans } from '../means.ts';

export interface ListedFile {
  readonly page: PageId;
  readonly path: string;
  readonly version: string;
  readonly lifecycle: Lifecycle;
}

const PAGE = 1_000;
const place = z.object({ after: z.string() });

export async function listPageFiles(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: { readonly under?: string | undefined; readonly cursor?: string | undefined },
): Promise<{ readonly files: readonly ListedFile[]; readonly change: number; readonly nextCursor?: string }> {
  const { under, cursor } = wish;
  const root = under === undefined ? null : await findPage(use, scope, workspace, under, 'under');
  const after = cursor === undefined ? undefined : (readCursor(cursor, place).after as PageId);
  const pages = await use.files.pages(scope, workspace, PAGE, after);
  const names = new FileNames(use, scope, workspace);
  const base = root === null ? '' : await names.folderOf(root.id);
  const below = root === null ? undefined : await idsBelow(use, scope, root.id, pages);
  const files: ListedFile[] = [];
  for (const filed of pages) {
    if (below?.has(filed.id) === false || (await isFolder(use, scope, workspace, filed))) continue;
    const { id: page, version, lifecycle } = filed;
    files.push({ page, path: (await names.notePath(filed)).slice(base.length), version, lifecycle });
  }
  const last = pages.at(-1);
  return {
    files,
    change: await use.events.newest(scope, workspace),
    ...(pages.length === PAGE && last && { nextCursor: writeCursor({ after: last.id }) }),
  };
}
