/**
 * Brings a batch of notes in. Whatever order batches come in, the result is the same: a folder stands for its note
 * until that comes, and links are resolved from both sides. A file that came before is skipped or merged.
 */
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { PageId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { FileNames } from './file-names.ts';
import { findPage } from './find-page.ts';
import { ImportTree } from './import-tree.ts';
import { insertPages } from './insert-pages.ts';
import { indexText, landText } from './land-text.ts';
import type { WorkspaceMeans } from './means.ts';
import { mergeBlocks } from './merge-blocks.ts';
import type { Page } from './page.ts';
import { checkContent, needsReview, requireMayChange, workspaceOf } from './page-rules.ts';
import { isOwnFile } from './permissions/may-change-file.ts';
import { requireLevel, requireMayAdd } from './permissions/may-write.ts';
import type { NewEvent } from './ports/event-log.ts';
import type { PageFile } from './ports/file-store.ts';
import { stateAt } from './proposals/proposal.ts';
import { proposeText } from './proposals/propose-text.ts';
import {
  type Change,
  type ImportedFile,
  type Note,
  type NoteBatch,
  readNotes,
  refusable,
} from './read-notes.ts';
import { recordChange } from './record-change.ts';
import { textOf } from './revise-page.ts';
import { rememberFile, versionWith } from './seen-file.ts';

export interface ImportBatch extends NoteBatch {
  /** A page that becomes the root of what is imported. */
  readonly into?: string | undefined;
  readonly dryRun: boolean;
}

export async function importPages(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  batch: ImportBatch,
): Promise<readonly ImportedFile[]> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const into = batch.into === undefined ? null : await findPage(use, tx, workspace, batch.into, 'into');
  requireMayAdd(submission, into, 'into');
  const base = into === null ? '' : await new FileNames(use, tx, workspace).folderOf(into.id);
  const { notes, refused } = readNotes(batch, base);
  const tree = new ImportTree(use, landing, workspace, into?.id ?? null, batch.dialect, 'import');
  await tree.load(notes.flatMap(({ path, nodes }) => [path, ...nodes.flatMap((n) => [n.note, n.folder])]));
  const done = new Map<string, ImportedFile>(refused.map((file) => [file.path, file]));
  const events: NewEvent[] = [];
  const changed: { readonly note: Note; readonly file: PageFile }[] = [];
  const places = await filePlaces(use, landing, notes);
  for (const note of notes) {
    const file = tree.at(note.path) ?? tree.folderFor(note.path);
    if (file) changed.push({ note, file });
    else done.set(note.given, await refusable(note, () => places.forNote(note, () => tree.create(note))));
  }
  if (!batch.dryRun) await places.free();
  if (!batch.dryRun) events.push(...(await insertPages(use, landing, tree.created)));
  for (const { note, file } of changed) {
    const result = await refusable(note, () =>
      bringUpToDate(use, landing, { ...batch, seenBy: 'import' }, note, file),
    );
    if (result.event) events.push(result.event);
    const { event: _, ...outcome } = result;
    done.set(note.given, outcome);
  }
  if (events.length > 0) await recordChange(use, landing, workspace, events);
  return withWaiting(
    use,
    landing,
    batch.files.flatMap(({ path }) => done.get(path) ?? []),
  );
}

/** Says what an import before this one, which may have been killed, left for an author to decide. */
async function withWaiting(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  files: readonly ImportedFile[],
): Promise<readonly ImportedFile[]> {
  const pages = files.flatMap(({ page, outcome }) => (outcome === 'created' ? [] : ((page ?? []) as PageId)));
  const pending = await use.proposals.pendingOfPages(tx, workspaceOf(submission), pages);
  const runs = new Map<string | null, string>();
  for (const entry of pending)
    if (entry.origin === 'imported' && stateAt(entry, submission.at) === 'pending')
      runs.set(entry.page, entry.by.run);
  return files.map((file) => {
    const run = runs.get(file.page ?? '');
    return run === undefined || run === submission.caller.context.run ? file : { ...file, waitingRun: run };
  });
}

interface FilePlaces {
  /** What others brought stays, unless an author says otherwise. */
  forNote<T>(note: Note, create: () => Promise<T>): Promise<T>;
  /** What was kept as a file and is a note now is not both. */
  free(): Promise<void>;
}

/** Files that lie where notes are to be. */
export async function filePlaces(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  notes: readonly Note[],
): Promise<FilePlaces> {
  const workspace = workspaceOf(submission);
  const paths = notes.map(({ path }) => path);
  const files = await use.files.attachmentsAt(tx, workspace, paths);
  const isFinal = submission.lifecycle === 'canonical';
  const others = new Set(
    files.filter((file) => !(isFinal || isOwnFile(submission, file))).map(({ path }) => path),
  );
  return {
    async forNote({ path }, create) {
      if (!others.has(path)) return create();
      throw new SluiceError('denied', `Another brought a file "${path}"; only an author puts a note there`);
    },
    async free() {
      const going = files.filter(({ path }) => !others.has(path));
      if (going.length > 0) await use.files.detach(tx, workspace, going);
    },
  };
}

/** A file whose page is there: nothing to do, or merged with what became of the page since. */
export async function bringUpToDate(
  use: WorkspaceMeans,
  landing: Landing,
  { dialect, dryRun, seenBy }: Pick<ImportBatch, 'dialect' | 'dryRun'> & Pick<PageFile, 'seenBy'>,
  note: Note,
  file: PageFile,
): Promise<Omit<Change, 'path' | 'notes'>> {
  const { tx, submission } = landing;
  const digest = sha256Hex(note.text);
  const sameText = file.path === note.path && file.digest === digest;
  if (sameText && (file.dialect ?? 'obsidian') === dialect) return { outcome: 'unchanged', page: file.page };
  const page = await use.pages.find(tx, workspaceOf(submission), file.page);
  if (!page) throw new SluiceError('internal', 'A file leads to a page that is not there');
  const waits = needsReview(submission, page);
  if (waits) requireLevel(submission, [page]);
  else requireMayChange(submission, [page]);
  // Of a file that only a sync knew: what the page said before is no change, as nobody put it back.
  const isUnseen = seenBy === 'import' && file.seenBy === 'sync' && file.path === note.path;
  const old = isUnseen ? await versionWith(use, tx, page, note.text) : undefined;
  const isOld = old !== undefined && old !== page.version;
  const text = sameText || isOld ? page.content : await merged(use, tx, page, file, note.text);
  if (text === undefined) {
    const reason = 'the file and the page were changed in the same place';
    return { outcome: 'conflict', page: page.id, reason };
  }
  if (waits && text === page.content) return { outcome: 'unchanged', page: page.id };
  if (dryRun && isOld) return { outcome: 'unchanged', page: page.id };
  if (dryRun) return { outcome: waits ? 'proposed' : 'updated', page: page.id };
  if (waits) return { outcome: 'proposed', page: page.id, ...(await proposeText(use, landing, page, text)) };
  const own = { ...page, dialect };
  const changes = text !== page.content;
  const version = changes ? await landText(use, landing, own, checkContent(text)) : page.version;
  // Where something was merged in, the file's text is no version of the page, so it is kept for the next merge.
  const same = text === note.text ? version : old;
  const base = same === undefined ? { version: null, text: note.text } : { version: same, text: null };
  await rememberFile(use, landing, { page: page.id, path: note.path, digest, dialect, seenBy, ...base });
  if (isOld) return { outcome: 'unchanged', page: page.id };
  if (!changes) {
    await indexText(use, landing, own, text);
    return { outcome: 'updated', page: page.id };
  }
  const event: NewEvent = {
    kind: 'content_changed',
    page: page.id,
    beforeVersion: page.version,
    afterVersion: version,
    details: { file: note.path, merged: text !== note.text },
  };
  return { outcome: 'updated', page: page.id, event };
}

/** Undefined when both changed the same place. */
async function merged(
  use: WorkspaceMeans,
  scope: ReadScope,
  page: Page,
  file: PageFile,
  wanted: string,
): Promise<string | undefined> {
  const base = file.text ?? (await textOf(use, scope, page, file.version ?? page.version));
  const merge = mergeBlocks(base, page.content, wanted);
  return merge.ok ? merge.text : undefined;
}
