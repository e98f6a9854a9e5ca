/**
 * Brings a batch of notes in. Whatever order batches come in, the result is the same: a folder stands for its note
 * until that comes, and links are resolved from both sides. A file that came before is skipped or merged.
 */
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { type ErrorCode, SluiceError } from '../../kernel/errors.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { type DerivedMetadata, deriveMetadata } from './derive-metadata.ts';
import { FileNames } from './file-names.ts';
import { checkFilePath, type FileNode, isNotePath, nodesOf } from './file-path.ts';
import { findPage } from './find-page.ts';
import { ImportTree } from './import-tree.ts';
import { insertPages } from './insert-pages.ts';
import { indexText, landText } from './land-text.ts';
import type { Dialect } from './markdown/dialect.ts';
import { scanBlocks } from './markdown/scan-blocks.ts';
import { splitBlocks } from './markdown/split-blocks.ts';
import type { WorkspaceMeans } from './means.ts';
import { mergeBlocks } from './merge-blocks.ts';
import type { Page } from './page.ts';
import { checkBlockCount, checkContent, requireMayChange, workspaceOf } from './page-rules.ts';
import { requireMayAdd } from './permissions/may-write.ts';
import type { NewEvent } from './ports/event-log.ts';
import type { PageFile } from './ports/file-store.ts';
import { recordChange } from './record-change.ts';
import { textOf } from './revise-page.ts';

export interface ImportBatch {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly dialect: Dialect;
  /** A page that becomes the root of what is imported. */
  readonly into?: string | undefined;
  readonly dryRun: boolean;
}

/** `refused`: it cannot be a page. `protected`: its page is canonical and the caller may not change it. */
export const IMPORT_OUTCOMES = [
  'created',
  'updated',
  'unchanged',
  'conflict',
  'refused',
  'protected',
] as const;

export interface ImportedFile {
  readonly path: string;
  readonly outcome: (typeof IMPORT_OUTCOMES)[number];
  readonly page?: string;
  /** Why it did not come in. */
  readonly reason?: string;
  /** What is odd about it although it did. */
  readonly notes: readonly string[];
}

/** A file that can become a page. */
interface Note {
  /** As the caller has it, and as it is kept. */
  readonly given: string;
  readonly path: string;
  readonly text: string;
  readonly nodes: readonly FileNode[];
  readonly derived: DerivedMetadata;
  readonly notes: readonly string[];
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
  const tree = new ImportTree(use, landing, workspace, into?.id ?? null, batch.dialect);
  await tree.load(notes.flatMap(({ path, nodes }) => [path, ...nodes.flatMap((n) => [n.note, n.folder])]));
  const done = new Map<string, ImportedFile>(refused.map((file) => [file.path, file]));
  const events: NewEvent[] = [];
  const changed: { readonly note: Note; readonly file: PageFile }[] = [];
  for (const note of notes) {
    const file = tree.at(note.path) ?? tree.folderFor(note.path);
    if (file) changed.push({ note, file });
    else done.set(note.given, await refusable(note, () => tree.create(note)));
  }
  if (!batch.dryRun) await detachFiles(use, landing, notes);
  if (!batch.dryRun) events.push(...(await insertPages(use, landing, tree.created)));
  for (const { note, file } of changed) {
    const result = await refusable(note, () => bringUpToDate(use, landing, batch, note, file));
    if (result.event) events.push(result.event);
    const { event: _, ...outcome } = result;
    done.set(note.given, outcome);
  }
  if (events.length > 0) await recordChange(use, landing, workspace, events);
  return batch.files.flatMap(({ path }) => done.get(path) ?? []);
}

/** What was kept as a file and is a note now is not both. */
async function detachFiles(use: WorkspaceMeans, { tx, submission }: Landing, notes: readonly Note[]) {
  const workspace = workspaceOf(submission);
  const paths = notes.map(({ path }) => path);
  const files = await use.files.attachmentsAt(tx, workspace, paths);
  if (files.length > 0) await use.files.detach(tx, workspace, paths);
}

interface Change extends ImportedFile {
  readonly event?: NewEvent;
}

const REFUSALS: Partial<Record<ErrorCode, 'refused' | 'protected'>> = {
  invalid_input: 'refused',
  review_required: 'protected',
  denied: 'protected',
};

/** What stands against one file must not keep the others out. */
async function refusable(
  { given, notes }: Note,
  work: () => Promise<Omit<Change, 'path' | 'notes'>>,
): Promise<Change> {
  try {
    return { path: given, notes, ...(await work()) };
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const outcome = REFUSALS[error.code];
    if (outcome === undefined) throw error;
    return { path: given, outcome, reason: error.message, notes };
  }
}

/** Parents before children, so that a folder finds its note. */
function readNotes(
  { files, dialect }: ImportBatch,
  base: string,
): { readonly notes: readonly Note[]; readonly refused: readonly ImportedFile[] } {
  const notes = new Map<string, Note>();
  const refused: ImportedFile[] = [];
  for (const { path: given, text } of files) {
    try {
      const path = checkFilePath(base + given);
      if (!isNotePath(path)) throw new SluiceError('invalid_input', '"path" must end in .md or .markdown');
      if (notes.has(path)) throw new SluiceError('invalid_input', `"${given}" is in the batch twice`);
      const own = nodesOf(given, dialect);
      const nodes = own.map((node) => ({ ...node, note: base + node.note, folder: base + node.folder }));
      notes.set(path, { given, path, text: checkContent(text), nodes, ...look(text, dialect) });
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      refused.push({ path: given, outcome: 'refused', reason: error.message, notes: [] });
    }
  }
  const ordered = [...notes.values()].sort(
    (a, b) => a.nodes.length - b.nodes.length || (a.path < b.path ? -1 : 1),
  );
  return { notes: ordered, refused };
}

function look(text: string, dialect: Dialect): Pick<Note, 'derived' | 'notes'> {
  const scan = scanBlocks(text);
  checkBlockCount(splitBlocks(text, scan).length);
  const derived = deriveMetadata(text, dialect, scan);
  const notes = [
    ...(scan.unclosedFence ? ['a code fence is never closed; links after it are not seen'] : []),
    ...(derived.problem === undefined ? [] : [derived.problem]),
  ];
  return { derived, notes };
}

/** A file whose page is there: nothing to do, or merged with what became of the page since. */
async function bringUpToDate(
  use: WorkspaceMeans,
  landing: Landing,
  { dialect, dryRun }: ImportBatch,
  note: Note,
  file: PageFile,
): Promise<Omit<Change, 'path' | 'notes'>> {
  const { tx, submission } = landing;
  const digest = sha256Hex(note.text);
  const sameText = file.path === note.path && file.digest === digest;
  if (sameText && (file.dialect ?? 'obsidian') === dialect) return { outcome: 'unchanged', page: file.page };
  const page = await use.pages.find(tx, workspaceOf(submission), file.page);
  if (!page) throw new SluiceError('internal', 'A file leads to a page that is not there');
  requireMayChange(submission, [page]);
  const text = sameText ? page.content : await merged(use, tx, page, file, note.text);
  if (text === undefined) {
    const reason = 'the file and the page were changed in the same place';
    return { outcome: 'conflict', page: page.id, reason };
  }
  if (dryRun) return { outcome: 'updated', page: page.id };
  const own = { ...page, dialect };
  const changes = text !== page.content;
  const version = changes ? await landText(use, landing, own, checkContent(text)) : page.version;
  // Where something was merged in, the file's text is no version of the page, so it is kept for the next merge.
  const base = text === note.text ? { version, text: null } : { version: null, text: note.text };
  await use.files.bind(tx, { page: page.id, path: note.path, digest, dialect, ...base });
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
