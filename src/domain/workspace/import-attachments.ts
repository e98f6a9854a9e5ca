/** Ties files that are no notes to the workspace. Their bytes are in the blob store already; here is where they belong. */
import { invalidInput } from '../../kernel/errors.ts';
import { atLeast } from '../../kernel/sight.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { fileEvents } from './file-events.ts';
import { FileNames } from './file-names.ts';
import { checkFilePath } from './file-path.ts';
import { findPage } from './find-page.ts';
import { resolveIn } from './index-links.ts';
import type { WorkspaceMeans } from './means.ts';
import { readNameView } from './name-view.ts';
import type { PageHeader } from './page.ts';
import { workspaceOf } from './page-rules.ts';
import { isOwnFile } from './permissions/may-change-file.ts';
import { bringerOf, levelOf, lifecycleAt, requireMayAdd } from './permissions/may-write.ts';
import { type FilePlace, placeFiles, type Unplaced } from './place-files.ts';
import type { Attachment } from './ports/file-store.ts';
import type { LinkStatus } from './ports/link-store.ts';
import { recordChange } from './record-change.ts';
import { targetKey } from './resolve-link.ts';
import { usableBlobs } from './usable-blobs.ts';

type NewAttachment = Omit<Unplaced, 'nameKey' | 'broughtBy'>;

export interface AttachmentBatch {
  readonly files: readonly NewAttachment[];
  readonly into?: string | undefined;
  readonly dryRun: boolean;
  /** Whether the bytes are there. */
  hasBlob(digest: string): boolean;
  /** Whether the caller has sent them. */
  wasSent(digest: string): boolean;
}

export interface AttachedBatch {
  readonly attached: number;
  readonly unchanged: number;
  /** Blobs that have to be sent first; their files were left out. */
  readonly missing: readonly string[];
  /** Paths that were left out: others brought a file there, or canonical pages show it, and nobody has agreed to this one. */
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
  const broughtBy = bringerOf(submission);
  const wanted = batch.files.map((file) => ({ ...toAttachment(file, base), broughtBy }));
  const places = await placeFiles(use, landing, wanted, into);
  await use.idleBlobs.claim(
    tx,
    wanted.flatMap(({ parts }) => parts),
  );
  const changed = places.filter(({ file, before }) => before?.digest !== file.digest);
  const held = await heldBack(use, landing, changed, into);
  const fresh = changed.filter(({ file }) => !held.has(file.path));
  const parts = fresh.flatMap(({ file }) => file.parts);
  const digests = [...new Set([...fresh.map(({ file }) => file.digest), ...parts])];
  const isUsable = await usableBlobs(use, landing, digests, batch.wasSent);
  const missing = new Set(parts.filter((part) => !(isUsable(part) && batch.hasBlob(part))));
  const whole = fresh.filter(({ file }) => file.parts.every((part) => !missing.has(part)));
  const unchanged = wanted.length - changed.length;
  const landed = whole.flatMap(({ file, zones }) => zones.map((zone) => ({ ...file, zone })));
  if (!batch.dryRun && landed.length > 0) await attach(use, landing, landed);
  return { attached: whole.length, unchanged, missing: [...missing], protected: [...held] };
}

/** Paths where something lies that the caller may not replace. */
async function heldBack(
  use: WorkspaceMeans,
  landing: Landing,
  places: readonly FilePlace[],
  into: PageHeader | null,
): Promise<ReadonlySet<string>> {
  const { submission } = landing;
  const replaced = places.filter(({ before }) => before !== undefined);
  const isOthers = ({ before }: FilePlace): boolean => before !== undefined && !isOwnFile(submission, before);
  const mayReplace = ({ file, zones }: FilePlace): boolean =>
    zones.every((zone) => atLeast(levelOf(submission, { title: file.path, zone }), 'propose'));
  const kept = new Set(replaced.filter((place) => !mayReplace(place)).map(({ file }) => file.path));
  if (lifecycleAt(submission, into) === 'canonical') return kept;
  const shown = await shownCanonically(
    use,
    landing,
    replaced.map(({ file }) => file),
  );
  return kept.union(shown).union(new Set(replaced.filter(isOthers).map(({ file }) => file.path)));
}

/** Those of the paths that a canonical page links to which the caller sees: others must not be told of. */
async function shownCanonically(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  files: readonly Unplaced[],
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

function toAttachment(file: NewAttachment, base: string): Omit<Unplaced, 'broughtBy'> {
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
  of?: PageHeader,
): Promise<void> {
  const { tx } = landing;
  const workspace = workspaceOf(landing.submission);
  const paths = [...new Set(files.map(({ path }) => path))];
  const before = await use.files.attachmentsAt(tx, workspace, paths);
  await use.files.attach(tx, workspace, files);
  // A note that is no text any more: its page stays, but the file is not its own any more.
  for (const { page } of await use.files.atPaths(tx, workspace, paths))
    await use.files.clearTakenPath(tx, page);
  await relinkFiles(use, landing, files, 'unresolved');
  const changes = files.map(({ path, zone, digest }) => ({
    path,
    zone,
    before: before.find((file) => file.path === path && file.zone === zone) ?? null,
    after: digest,
  }));
  await recordChange(use, landing, workspace, fileEvents('files_attached', changes, of));
}

/** Takes files away again; their bytes stay with whoever else has them. */
export async function detachAttachments(
  use: WorkspaceMeans,
  landing: Landing,
  files: readonly Attachment[],
): Promise<void> {
  const workspace = workspaceOf(landing.submission);
  await use.files.detach(landing.tx, workspace, files);
  await relinkFiles(use, landing, files, 'file');
  const changes = files.map((file) => ({ path: file.path, zone: file.zone, before: file, after: null }));
  await recordChange(use, landing, workspace, fileEvents('files_detached', changes));
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
