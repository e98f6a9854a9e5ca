/** From the folder into the workspace: deletions first, then notes in batches, then other files. */
import { join } from 'node:path';
import { isNotePath } from '../../domain/workspace/file-path.ts';
import type { Dialect } from '../../domain/workspace/markdown/dialect.ts';
import { type CallTool, whyNoPage } from '../import-folder.ts';
import { AttachmentSender } from '../send-attachments.ts';
import type { Comparison, FileWork, PageWork } from './compare.ts';
import type { FolderFiles } from './folder-files.ts';
import { readStable } from './read-stable.ts';
import { noteOddity, type SyncReport } from './report.ts';
import type { Scan, SeenFile } from './scan-folder.ts';
import type { Agreement } from './side-file.ts';
import { takeOut } from './take-out.ts';

export interface SyncMeans {
  readonly call: CallTool;
  /** A real path. */
  readonly folder: string;
  readonly dialect: Dialect;
  readonly agreed: Agreement;
  readonly files: FolderFiles;
  readonly report: SyncReport;
  /** Something could not be done now: look again. */
  again(): void;
  /** Pages whose files the workspace would not have as moved. */
  readonly refusedMoves: Map<string, number>;
  /** Keeps what was agreed; also now and then during long work. */
  save(): Promise<void>;
  onProgress(): void;
}

/** Of a call: small enough for a request whatever the text is escaped to. */
const BATCH_FILES = 150;
const BATCH_BYTES = 1_000_000;

/** Answers how much it did. */
export async function takeIn(use: SyncMeans, scan: Scan, { pages, files }: Comparison): Promise<number> {
  const removals = await takeOut(use, scan, pages, files);
  const taken = await takeNotes(use, pages);
  const attached = await takeFiles(use, files);
  return removals + taken + attached;
}

interface ReadyNote {
  readonly work: PageWork;
  readonly file: SeenFile;
  /** Where the page is to be. */
  readonly path: string;
  readonly text: string;
}

async function takeNotes(use: SyncMeans, pages: readonly PageWork[]): Promise<number> {
  const wanted = pages
    .filter(({ decision }) => decision.do === 'take' || decision.do === 'create')
    .sort((a, b) => rank(a) - rank(b));
  let batch: ReadyNote[] = [];
  let [bytes, since] = [0, 0];
  const send = async (): Promise<void> => {
    if (batch.length > 0) await sendNotes(use, batch);
    since += batch.length;
    [batch, bytes] = [[], 0];
    if (since < SAVE_AFTER) return;
    since = 0;
    await use.save();
  };
  for (const work of wanted) {
    const { file, decision } = work;
    if (!file) continue;
    const read = await readStable(use.folder, file.path);
    if (typeof read !== 'object' || read.digest !== file.digest || read.text === undefined) {
      use.again();
      continue;
    }
    if (batch.length >= BATCH_FILES || bytes + file.look.size > BATCH_BYTES) await send();
    const path = decision.do === 'take' ? decision.path : file.path;
    batch.push({ work, file, path, text: read.text });
    bytes += file.look.size;
  }
  await send();
  if (wanted.length > 0) await use.save();
  return wanted.length;
}

const SAVE_AFTER = 1_000;

/** Moves together, so that files can change places; then those above before those below. */
const rank = ({ decision, file }: PageWork): number =>
  decision.do === 'take' && decision.moved ? 0 : (file?.path.split('/').length ?? 0);

interface NoteAnswer {
  readonly path: string;
  readonly outcome:
    | 'created'
    | 'updated'
    | 'unchanged'
    | 'proposed'
    | 'conflict'
    | 'refused'
    | 'protected'
    | 'stale';
  readonly page?: string;
  readonly version?: string;
  readonly reason?: string;
  readonly notes: readonly string[];
}

async function sendNotes(use: SyncMeans, batch: readonly ReadyNote[]): Promise<void> {
  const files = batch.map(({ work, path, text }) => ({
    path,
    text,
    ...(work.page && { page: work.id }),
    ...(work.page && work.tied && { version: work.tied.version, digest: work.tied.digest }),
    ...(work.decision.do === 'take' && work.decision.moved && { moved: true }),
  }));
  const answer = await use.call('sync_pages', { files, dialect: use.dialect });
  const answers = new Map((answer.files as NoteAnswer[]).map((file) => [file.path, file]));
  for (const note of batch) {
    const done = answers.get(note.path);
    if (done) await settle(use, note, done);
    use.onProgress();
  }
}

async function settle(
  use: SyncMeans,
  { work, file, path, text }: ReadyNote,
  done: NoteAnswer,
): Promise<void> {
  const { report, agreed } = use;
  const isMove = work.decision.do === 'take' && work.decision.moved;
  for (const problem of done.notes) if (done.outcome === 'created') noteOddity(report, { path, problem });
  switch (done.outcome) {
    case 'refused':
      noteOddity(report, { path, problem: `${done.reason}; it is kept as a file` });
      return attachRefused(use, work, file);
    case 'proposed':
      noteOddity(report, { path, problem: 'the page is canonical; the change waits for an author' });
      return;
    case 'protected':
      noteOddity(report, { path, problem: done.reason ?? 'may not be changed' });
      return;
    case 'stale':
      if (isMove && work.id !== undefined)
        use.refusedMoves.set(work.id, (use.refusedMoves.get(work.id) ?? 0) + 1);
      return use.again();
    case 'conflict': {
      const kept = await use.files.putBeside(file.path, Buffer.from(text, 'utf8'), file.digest);
      if (kept === undefined) return use.again();
      report.conflicts.push({ path: file.path, kept });
      break;
    }
    case 'created':
      report.taken.created += 1;
      break;
    default:
      if (isMove) report.taken.moved += 1;
      else if (done.version !== work.page?.version) report.taken.updated += 1;
  }
  if (done.page === undefined) return;
  if (work.id !== undefined && work.id !== done.page) agreed.pages.delete(work.id);
  // Where the page's text is another, none of its versions is the file's: it will be written.
  const version = done.version ?? work.tied?.version ?? '';
  agreed.pages.set(done.page, { path: file.path, digest: file.digest, version, look: file.look });
}

/** What cannot be a page is kept as a file, byte for byte; a page it was before is another then. */
async function attachRefused(use: SyncMeans, work: PageWork, file: SeenFile): Promise<void> {
  if (work.id !== undefined) use.agreed.pages.delete(work.id);
  await attach(use, [file]);
}

async function takeFiles(use: SyncMeans, files: readonly FileWork[]): Promise<number> {
  const wanted = files.flatMap(({ decision, file }) => (decision === 'attach' && file ? [file] : []));
  for (const { path, look } of wanted)
    if (isNotePath(path)) noteOddity(use.report, { path, problem: whyNoPage(look.size) });
  await attach(use, wanted);
  const settled = files.filter(({ decision }) => decision === 'settle' || decision === 'forget');
  for (const { path, file } of settled)
    if (file) use.agreed.files.set(path, { digest: file.digest, look: file.look });
    else use.agreed.files.delete(path);
  if (wanted.length + settled.length > 0) await use.save();
  return wanted.length;
}

async function attach(use: SyncMeans, files: readonly SeenFile[]): Promise<void> {
  if (files.length === 0) return;
  const counts = { attached: 0, unchanged: 0 };
  const odd = (oddity: { path: string; problem: string }): void => noteOddity(use.report, oddity);
  const sender = new AttachmentSender(use.call, { canonical: true }, counts, odd);
  const sent: SeenFile[] = [];
  for (const file of files) {
    const { path, digest, look } = file;
    const absolute = join(use.folder, path);
    // Not what was seen: changed since, or no longer by the way it was seen.
    const isSent = await sender
      .add({ path, absolute, isNote: false, size: look.size, digest })
      .catch(() => false);
    if (isSent) sent.push(file);
    else use.again();
    use.onProgress();
  }
  await sender.flush();
  for (const { path, digest, look } of sent) {
    const isNew = !use.agreed.files.has(path);
    use.agreed.files.set(path, { digest, look });
    use.report.taken[isNew ? 'created' : 'updated'] += 1;
  }
}
