/**
 * How a folder looks now. A file is read only when it looks otherwise than before. What cannot be told — not readable,
 * just being written — is unknown, which is not the same as gone.
 */
import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFilePath } from '../../domain/workspace/file-path.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { MAX_FILE_BYTES } from '../send-attachments.ts';
import { isIgnored, MAX_DEPTH, type Oddity } from '../walk-folder.ts';
import { lookOf, looksLike, readStable } from './read-stable.ts';
import type { Agreement, Look } from './side-file.ts';

export interface SeenFile {
  readonly path: string;
  readonly digest: string;
  readonly look: Look;
  /** Text that can be a page; everything else is an attachment. */
  readonly isNote: boolean;
}

/** A file that changed less long ago may be changing still. */
export const SETTLE_MS = 150;

export class Scan {
  readonly files = new Map<string, SeenFile>();
  readonly odd: Oddity[] = [];
  /** The folders that were looked into; the first is empty, the others end in a slash. */
  readonly walked: string[] = [];
  /** Files that were being written. */
  unsettled = 0;
  readonly #unknown = new Set<string>();
  readonly #folders = new Set<string>();

  /** Whether nothing can be said about the path, or a folder it lies in. */
  isUnknown(path: string): boolean {
    if (this.#unknown.size === 0) return false;
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1))
      if (this.#unknown.has(path.slice(0, at))) return true;
    return false;
  }

  /** Whether something lies in the folder, which ends in a slash. */
  holds(folder: string): boolean {
    return this.#folders.has(folder);
  }

  add(file: SeenFile): void {
    this.files.set(file.path, file);
    this.#noteFolders(file.path);
  }

  #noteFolders(path: string): void {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at + 1);
      if (this.#folders.has(folder)) return;
      this.#folders.add(folder);
    }
  }

  leaveOut(path: string, problem?: string): void {
    this.#unknown.add(path);
    this.#noteFolders(path);
    if (problem === undefined) this.unsettled += 1;
    else this.odd.push({ path, problem });
  }
}

export async function scanFolder(root: string, agreed: Agreement): Promise<Scan> {
  const scan = new Scan();
  const known = new Map<string, KnownFile>();
  for (const [path, file] of agreed.files) known.set(path, { ...file, isNote: false });
  for (const { path, ...page } of agreed.pages.values()) known.set(path, { ...page, isNote: true });
  await below({ root, scan, known }, '', 0);
  return scan;
}

interface KnownFile {
  readonly digest: string;
  readonly look?: Look | undefined;
  readonly isNote: boolean;
}

interface Walk {
  readonly root: string;
  readonly scan: Scan;
  readonly known: ReadonlyMap<string, KnownFile>;
}

async function below(walk: Walk, base: string, depth: number): Promise<void> {
  const { root, scan } = walk;
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, base), { withFileTypes: true });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (base === '')
      throw new SluiceError(
        'invalid_input',
        `"${root}" cannot be read (${code})`,
        { field: 'folder' },
        error,
      );
    const isGone = ['ENOENT', 'ENOTDIR'].includes(code);
    return scan.leaveOut(base.slice(0, -1), isGone ? undefined : 'cannot be read; it was left alone');
  }
  scan.walked.push(base);
  for (const entry of entries) {
    const path = base + entry.name;
    if (isIgnored(entry.name)) continue;
    if (entry.name.includes('\uFFFD'))
      scan.odd.push({ path, problem: 'its name is not valid UTF-8; it was left out' });
    else if (entry.isSymbolicLink()) scan.leaveOut(path, 'a symbolic link; it was not followed');
    else if (entry.isFile()) await look(walk, path);
    else if (!entry.isDirectory()) scan.leaveOut(path, 'neither a file nor a folder');
    else if (depth >= MAX_DEPTH) scan.leaveOut(path, `lies deeper than ${MAX_DEPTH} folders`);
    else await below(walk, `${path}/`, depth + 1);
  }
}

async function look({ root, scan, known: all }: Walk, path: string): Promise<void> {
  const known = all.get(path);
  const stat = await lstat(join(root, path), { bigint: true }).catch(() => undefined);
  if (!stat?.isFile()) return scan.leaveOut(path);
  const problem = problemOf(path, stat);
  if (problem !== undefined) return scan.leaveOut(path, problem);
  const now = lookOf(stat);
  if (known && looksLike(known.look, now)) {
    scan.add({ path, digest: known.digest, look: now, isNote: known.isNote });
    return;
  }
  if (isYoung(stat)) return scan.leaveOut(path);
  const read = await readStable(root, path);
  if (read === 'forbidden') return scan.leaveOut(path, 'cannot be read; it was left alone');
  if (!read) return scan.leaveOut(path);
  // What was refused as a page stays a file until it is another.
  const wasFile = known?.isNote === false && known.digest === read.digest;
  const isNote = read.text !== undefined && !wasFile;
  scan.add({ path, digest: read.digest, look: read.look, isNote });
}

function problemOf(path: string, { size }: BigIntStats): string | undefined {
  if (size > MAX_FILE_BYTES) return `has ${size} bytes, more than ${MAX_FILE_BYTES}; it was left out`;
  try {
    checkFilePath(path);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'has a path that cannot be kept';
  }
}

/** By the time that only the system sets; one in the future says nothing. */
function isYoung({ ctimeMs }: BigIntStats): boolean {
  const age = Date.now() - Number(ctimeMs);
  return age < SETTLE_MS && age > -SETTLE_MS;
}
