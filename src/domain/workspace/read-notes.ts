/** From files to notes that can become pages; what cannot is said file by file, and keeps no other out. */
import { type ErrorCode, SluiceError } from '../../kernel/errors.ts';
import { type DerivedMetadata, deriveMetadata } from './derive-metadata.ts';
import { checkFilePath, type FileNode, isNotePath, nodesOf } from './file-path.ts';
import type { Dialect } from './markdown/dialect.ts';
import { scanBlocks } from './markdown/scan-blocks.ts';
import { splitBlocks } from './markdown/split-blocks.ts';
import { checkBlockCount, checkContent } from './page-rules.ts';
import type { NewEvent } from './ports/event-log.ts';

export interface NoteBatch {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly dialect: Dialect;
}

/** `proposed`: its page is canonical, and the change waits for an author. `refused`: it cannot be a page. `protected`: the caller may not change it. */
export const IMPORT_OUTCOMES = [
  'created',
  'updated',
  'unchanged',
  'proposed',
  'conflict',
  'refused',
  'protected',
] as const;

export interface ImportedFile {
  readonly path: string;
  readonly outcome: (typeof IMPORT_OUTCOMES)[number];
  readonly page?: string;
  /** What waits for an author. */
  readonly proposal?: string;
  /** The earlier run that its page, or a change of it, came in and still waits with. */
  readonly waitingRun?: string;
  /** Why it did not come in. */
  readonly reason?: string;
  /** What is odd about it although it did. */
  readonly notes: readonly string[];
}

/** A file that can become a page. */
export interface Note {
  /** As the caller has it, and as it is kept. */
  readonly given: string;
  readonly path: string;
  readonly text: string;
  readonly nodes: readonly FileNode[];
  readonly derived: DerivedMetadata;
  readonly notes: readonly string[];
}

export interface Change extends ImportedFile {
  readonly event?: NewEvent;
}

const REFUSALS: Partial<Record<ErrorCode, 'refused' | 'protected'>> = {
  invalid_input: 'refused',
  review_required: 'protected',
  denied: 'protected',
};

/** What stands against one file must not keep the others out. */
export async function refusable(
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
export function readNotes(
  { files, dialect }: NoteBatch,
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
