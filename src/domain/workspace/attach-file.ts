/** Attaches a file to a page, or takes one away. Bytes are kept by their content; a file is a name for them beside its page. */
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import { OUTERMOST } from '../../kernel/sight.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { findAttachment } from './attachments.ts';
import { FileNames } from './file-names.ts';
import { checkFilePath, isNotePath } from './file-path.ts';
import { findPage } from './find-page.ts';
import { attach, detachAttachments } from './import-attachments.ts';
import type { WorkspaceMeans } from './means.ts';
import { type Match, requireMatch, requireMayChange, workspaceOf } from './page-rules.ts';
import { requireMayChangeFile } from './permissions/may-change-file.ts';
import { bringerOf } from './permissions/may-write.ts';
import type { Attachment } from './ports/file-store.ts';
import { targetKey } from './resolve-link.ts';
import { usableBlobs } from './usable-blobs.ts';

export interface NewFile extends Match {
  readonly page: string;
  readonly name: string;
  readonly mediaType: string;
  /** Take the place of another file of that name. */
  readonly replace: boolean;
  /** Which blob to claim, if it is known before, and what the bytes are; called once it is claimed. */
  readonly blob: string | undefined;
  wasSent(blob: string): boolean;
  bytes(isUsable: (blob: string) => boolean): { readonly digest: string; readonly size: number };
}

export interface Attached {
  readonly file: Attachment;
  readonly changed: boolean;
}

export async function attachFile(use: WorkspaceMeans, ticket: WriteTicket, wish: NewFile): Promise<Attached> {
  const landing = requireTicket(ticket, 'attachment', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const page = await findPage(use, tx, workspace, wish.page);
  requireMayChange(submission, [page]);
  requireMatch(page, wish);
  const folder = await new FileNames(use, tx, workspace).folderOf(page.id);
  const path = checkFilePath(folder + checkName(wish.name), 'name');
  const named = wish.blob === undefined ? [] : [wish.blob];
  await use.idleBlobs.claim(tx, named);
  const { digest, size } = wish.bytes(await usableBlobs(use, landing, named, wish.wasSent));
  const zone = page.zone ?? OUTERMOST;
  const known = (await use.files.attachmentsAt(tx, workspace, [path])).find((file) => file.zone === zone);
  if (known?.digest === digest) return { file: known, changed: false };
  if (known && !wish.replace)
    throw new SluiceError(
      'conflict',
      `There is another file "${path}"; "replace" puts this one in its place`,
      {
        reason: 'exists',
        field: 'name',
        digest: known.digest,
      },
    );
  if (known) await requireMayChangeFile(use, landing, path, [known]);
  const { mediaType } = wish;
  const bytes = { digest, size, mediaType, parts: [digest] };
  const file = { path, zone, nameKey: targetKey(path), ...bytes, broughtBy: bringerOf(submission) };
  await attach(use, landing, [file], page);
  return { file, changed: true };
}

/** A name that is one on every system, and that no note has. */
function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || Buffer.byteLength(trimmed) > 200 || /[/\\<>:"|?*\p{Cc}]|^\.|[. ]$/u.test(trimmed))
    throw invalidInput(
      'name',
      'must be a file name of 1 to 200 bytes without / \\ < > : " | ? * or a dot at its ends',
    );
  if (isNotePath(trimmed)) throw invalidInput('name', 'is that of a note; create_page makes one');
  return trimmed;
}

/** The bytes stay until nothing has referred to them for as long as the trash keeps things. */
export async function detachFile(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  which: { readonly path: string; readonly digest?: string | undefined },
): Promise<Attachment> {
  const landing = requireTicket(ticket, 'attachment', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const { file, all } = await findAttachment(use, tx, workspace, which);
  await requireMayChangeFile(use, landing, file.path, all);
  await detachAttachments(use, landing, all);
  return file;
}
