/** Ties files that are no notes to the workspace. Their bytes are in the blob store already; here is where they belong. */
import { invalidInput } from '../../kernel/errors.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { fileEvents } from './file-events.ts';
import { FileNames } from './file-names.ts';
import { checkFilePath } from './file-path.ts';
import { findPage } from './find-page.ts';
import { resolveIn } from './index-links.ts';
import type { WorkspaceMeans } from './means.ts';
import { readNameView } from './name-view.ts';
import { workspaceOf } from './page-rules.ts';
import { lifecycleAt, requireMayAdd } from './permissions/may-write.ts';
import type { Attachment } from './ports/file-store.ts';
import type { LinkStatus } from './ports/link-store.ts';
import { recordChange } from './record-change.ts';
import { targetKey } from './resolve-link.ts';

export interface AttachmentBatch {
  readonly files: readonly Omit<Attachment, 'nameKey'>[];
  readonly into?: string | undefined;
  readonly dryRun: boolean;
  /** Whether the bytes are there. */
  hasBlob(digest: string): boolean;
}

export interface AttachedBatch {
  readonly attached: number;
  readonly unchanged: number;
  /** Blobs that have to be sent first; their files were left out. */
  readonly missing: readonly string[];
  /** Paths that were left out: canonical pages show another file there, and nobody has agreed to this one. */
  readonly protected: readonly string[];
}

export async function importAttachments(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  batch: AttachmentBatch,
): Promise<AttachedBatch> {
  const landing = requireTicket(ticket, 'attachment', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const into = batch.into === undefined ? null : await findPage(use, tx, workspace, batch.into, 'into');
  requireMayAdd(submission, into, 'into');
  const base = into === null ? '' : await new FileNames(use, tx, workspace).folderOf(into.id);
  const wanted = batch.files.map((file) => toAttachment(file, base));
  const known = new Map(
    (
      await use.files.attachmentsAt(
        tx,
        workspace,
        wanted.map(({ path }) => path),
      )
    ).map((file) => [file.path, file.digest]),
  );
  await use.idleBlobs.claim(
    tx,
    wanted.flatMap(({ parts }) => parts),
  );
  const changed = wanted.filter(({ path, digest }) => known.get(path) !== digest);
  const held =
    lifecycleAt(submission, into) === 'canonical'
      ? new Set<string>()
      : await shownCanonically(
          use,
          landing,
          changed.filter(({ path }) => known.has(path)),
        );
  const fresh = changed.filter(({ path }) => !held.has(path));
  const missing = new Set(fresh.flatMap(({ parts }) => parts).filter((part) => !batch.hasBlob(part)));
  const whole = fresh.filter(({ parts }) => parts.every((part) => !missing.has(part)));
  const unchanged = wanted.length - changed.length;
  if (!batch.dryRun && whole.length > 0) await attach(use, landing, whole);
  return { attached: whole.length, unchanged, missing: [...missing], protected: [...held] };
}

/** Those of the paths that a canonical page links to which the caller sees: others must not be told of. */
async function shownCanonically(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  files: readonly Attachment[],
): Promise<ReadonlySet<string>> {
  const workspace = workspaceOf(submission);
  const keys = [...new Set(files.map(({ nameKey }) => nameKey))];
  const links = (await use.links.byKeys(tx, workspace, keys)).filter(({ status }) => status === 'file');
  const sources = [...new Set(links.map(({ source }) => source))];
  const headers = await use.pages.headers(tx, workspace, sources);
  const canonical = new Set(headers.filter(({ lifecycle }) => lifecycle === 'canonical').map(({ id }) => id));
  const shown = new Set(links.filter(({ source }) => canonical.has(source)).map(({ targetKey: key }) => key));
  return new Set(files.filter(({ nameKey }) => shown.has(nameKey)).map(({ path }) => path));
}

function toAttachment(file: Omit<Attachment, 'nameKey'>, base: string): Attachment {
  const path = checkFilePath(base + file.path);
  if (file.parts.length === 0 || (file.parts.length === 1 && file.parts[0] !== file.digest))
    throw invalidInput('parts', `must be the blobs that make up "${file.path}"`);
  return { ...file, path, nameKey: targetKey(path) };
}

/** Puts files at their paths, and lets links mean them that meant nothing. */
export async function attach(
  use: WorkspaceMeans,
  landing: Landing,
  files: readonly Attachment[],
): Promise<void> {
  const { tx } = landing;
  const workspace = workspaceOf(landing.submission);
  const before = await filesAt(use, landing, files);
  await use.files.attach(tx, workspace, files);
  // A note that is no text any more: its page stays, but the file is not its own any more.
  const paths = files.map(({ path }) => path);
  for (const { page } of await use.files.atPaths(tx, workspace, paths))
    await use.files.clearTakenPath(tx, page);
  await relinkFiles(use, landing, files, 'unresolved');
  const changes = files.map(({ path, digest }) => ({
    path,
    before: before.get(path) ?? null,
    after: digest,
  }));
  await recordChange(use, landing, workspace, fileEvents('files_attached', changes));
}

/** Takes files away again; their bytes stay with whoever else has them. */
export async function detachAttachments(
  use: WorkspaceMeans,
  landing: Landing,
  files: readonly Attachment[],
): Promise<void> {
  const paths = files.map(({ path }) => path);
  const workspace = workspaceOf(landing.submission);
  await use.files.detach(landing.tx, workspace, paths);
  await relinkFiles(use, landing, files, 'file');
  const changes = files.map((file) => ({ path: file.path, before: file, after: null }));
  await recordChange(use, landing, workspace, fileEvents('files_detached', changes));
}

async function filesAt(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  files: readonly Attachment[],
): Promise<ReadonlyMap<string, Attachment>> {
  const paths = files.map(({ path }) => path);
  const found = await use.files.attachmentsAt(tx.unveiled, workspaceOf(submission), paths);
  return new Map(found.map((file) => [file.path, file]));
}

/** Links that may mean these files from now on, or no longer. */
async function relinkFiles(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  files: readonly Attachment[],
  concerned: LinkStatus,
): Promise<void> {
  const workspace = workspaceOf(submission);
  const keys = [...new Set(files.map((file) => file.nameKey))];
  const links = (await use.links.byKeys(tx.unveiled, workspace, keys)).filter(
    ({ status }) => status === concerned,
  );
  const sources = [...new Set(links.map((link) => link.source))];
  const view = await readNameView(use, tx.unveiled, workspace, keys, sources);
  const relinked = links
    .map((link) => ({ link, ...resolveIn(link, view) }))
    .filter(({ link, status }) => status !== link.status);
  await use.links.resolve(tx, relinked);
}
