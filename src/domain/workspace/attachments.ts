/** Looking at attachments: by path, in order. */
import { z } from 'zod';
import { SluiceError } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { FileNames } from './file-names.ts';
import { findPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Attachment } from './ports/file-store.ts';

const PAGE = 500;
const place = z.object({ after: z.string() });

/** `base` is the folder of the page they lie below. */
export async function listAttachments(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: { readonly under?: string | undefined; readonly cursor?: string | undefined },
): Promise<{ readonly files: readonly Attachment[]; readonly base: string; readonly nextCursor?: string }> {
  const root =
    wish.under === undefined ? undefined : await findPage(use, scope, workspace, wish.under, 'under');
  const base = root ? await new FileNames(use, scope, workspace).folderOf(root.id) : '';
  const after = wish.cursor === undefined ? base : readCursor(wish.cursor, place).after;
  const found = await use.files.attachments(scope, workspace, PAGE, after);
  const files = found.filter(({ path }) => path.startsWith(base));
  const more = found.length === PAGE && files.length === PAGE;
  return { files, base, ...(more && { nextCursor: writeCursor({ after: files.at(-1)?.path }) }) };
}

export async function findAttachment(
  use: Pick<WorkspaceMeans, 'files'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  path: string,
): Promise<Attachment> {
  const [file] = await use.files.attachmentsAt(scope, workspace, [path]);
  if (file) return file;
  throw new SluiceError('not_found', `There is no attachment "${path}"`, { field: 'path' });
}
