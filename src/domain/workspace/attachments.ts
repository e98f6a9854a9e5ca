/** Looking at attachments: by path, in order. */
import { z } from 'zod';
import { SluiceError } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { OUTERMOST } from '../../kernel/sight.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { FileNames } from './file-names.ts';
import { findPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Attachment } from './ports/file-store.ts';

const PAGE = 500;
const place = z.object({ after: z.string(), zone: z.string().default(OUTERMOST) });

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
  const at = wish.cursor === undefined ? undefined : readCursor(wish.cursor, place);
  const after = { path: at?.after ?? base, zone: at?.zone ?? OUTERMOST };
  const found = await use.files.attachments(scope, workspace, PAGE, after);
  const below = found.filter(({ path }) => path.startsWith(base));
  const last = found.length === PAGE && below.length === PAGE ? below.at(-1) : undefined;
  // A file that several zones have is one.
  const files = below.filter(({ path, digest }, i) => {
    const next = below[i + 1];
    return next?.path !== path || next.digest !== digest;
  });
  return { files, base, ...(last && { nextCursor: writeCursor({ after: last.path, zone: last.zone }) }) };
}

/** The file in every zone where the caller sees it. `digest` says which, where others lie at the path that not all see. */
export async function findAttachment(
  use: Pick<WorkspaceMeans, 'files'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  { path, digest }: { readonly path: string; readonly digest?: string | undefined },
): Promise<{ readonly file: Attachment; readonly all: readonly Attachment[] }> {
  const there = await use.files.attachmentsAt(scope, workspace, [path]);
  const all = digest === undefined ? there : there.filter((file) => file.digest === digest);
  const [file] = all;
  if (!file) throw new SluiceError('not_found', `There is no attachment "${path}"`, { field: 'path' });
  if (all.every((other) => other.digest === file.digest)) return { file, all };
  throw new SluiceError('ambiguous', `There are several files "${path}"; give the digest of one`, {
    field: 'path',
    candidates: all.map((one) => ({ digest: one.digest, size: one.size })),
  });
}
