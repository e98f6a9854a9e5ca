/** Walks a folder of notes in a fixed order. Nothing that leads out of it is followed; what is left out is said. */
import { type Dirent, opendirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isNotePath } from '../domain/workspace/file-path.ts';
import { SluiceError } from '../kernel/errors.ts';
import { EXPORT_MARKER } from './export-marker.ts';

export interface FoundFile {
  /** From the folder, with slashes, as the file system has it. */
  readonly path: string;
  readonly absolute: string;
  readonly isNote: boolean;
  readonly size: number;
  /** What its bytes must be, where that is known. */
  readonly digest?: string;
}

export interface Oddity {
  readonly path: string;
  readonly problem: string;
}

/** What programs keep beside notes and what nobody means to import. */
const IGNORED: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.obsidian',
  '.trash',
  '.stfolder',
  '.DS_Store',
  'Thumbs.db',
  'node_modules',
  '.sluice',
  EXPORT_MARKER,
]);

/** Also what a killed sync or export left half. */
export const isIgnored = (name: string): boolean =>
  IGNORED.has(name) || /^\.sluice-[0-9a-f]{8}-[0-9a-f-]{27}$/.test(name);

export const MAX_DEPTH = 200;

export async function* walkFolder(root: string, odd: (oddity: Oddity) => void): AsyncGenerator<FoundFile> {
  const found = await stat(root).catch(() => undefined);
  if (!found?.isDirectory())
    throw new SluiceError('invalid_input', `"${root}" is not a folder`, { field: 'folder' });
  yield* below(root, '', 0, odd);
}

async function* below(
  folder: string,
  base: string,
  depth: number,
  odd: (oddity: Oddity) => void,
): AsyncGenerator<FoundFile> {
  const entries = await entriesOf(folder, base, odd);
  if (entries.length === 0 && base !== '' && isEmpty(folder))
    odd({ path: base, problem: 'an empty folder; folders are kept for what is in them' });
  for (const entry of entries) {
    const path = base + entry.name;
    const absolute = join(folder, entry.name);
    if (isIgnored(entry.name)) continue;
    if (entry.isSymbolicLink()) odd({ path, problem: 'a symbolic link; it was not followed' });
    else if (entry.isDirectory()) {
      if (depth >= MAX_DEPTH) odd({ path, problem: `lies deeper than ${MAX_DEPTH} folders` });
      else yield* below(absolute, `${path}/`, depth + 1, odd);
    } else if (entry.isFile()) {
      yield { path, absolute, isNote: isNotePath(path), size: (await stat(absolute)).size };
    } else odd({ path, problem: 'neither a file nor a folder' });
  }
}

/** By bytes, so that the order is the same everywhere. */
async function entriesOf(folder: string, base: string, odd: (oddity: Oddity) => void): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  // A name that is no UTF-8 cannot be told apart from others once it is text.
  const [unreadable, readable] = [true, false].map((wanted) =>
    entries.filter(({ name }) => name.includes('\uFFFD') === wanted),
  ) as [Dirent[], Dirent[]];
  for (const { name } of unreadable)
    odd({ path: base + name, problem: 'its name is not valid UTF-8; it was left out' });
  return readable.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

function isEmpty(folder: string): boolean {
  const opened = opendirSync(folder);
  try {
    return opened.readSync() === null;
  } finally {
    opened.closeSync();
  }
}
