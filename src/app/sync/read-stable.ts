/** Reads a file only while nobody writes to it: what changes under the reading hand is left for later. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { isNotePath } from '../../domain/workspace/file-path.ts';
import { MAX_CONTENT_BYTES } from '../../domain/workspace/page.ts';
import { digestOf } from '../answer-parts.ts';
import type { Look } from './side-file.ts';
import { holdFolder } from './within-folder.ts';

export interface StableFile {
  readonly digest: string;
  readonly look: Look;
  /** Of a note; undefined for bytes that cannot be the text of a page. */
  readonly text: string | undefined;
}

export const lookOf = (stat: BigIntStats): Look => ({
  size: Number(stat.size),
  mtime: String(stat.mtimeNs),
  ctime: String(stat.ctimeNs),
  inode: `${stat.ino} ${stat.birthtimeNs}`,
});

export const looksLike = (a: Look | undefined, b: Look): boolean =>
  a !== undefined && a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;

/** Undefined when it is gone, is no file of its own, or did not hold still. */
export function readStable(root: string, path: string): Promise<StableFile | 'forbidden' | undefined> {
  return withFile(root, path, async (handle) => {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) return undefined;
    const whole = isNotePath(path) && before.size <= MAX_CONTENT_BYTES;
    const read = whole ? await readText(handle) : { digest: await digestInPieces(handle), text: undefined };
    const look = lookOf(await handle.stat({ bigint: true }));
    return looksLike(lookOf(before), look) ? { ...read, look } : undefined;
  });
}

export async function readBytes(root: string, path: string): Promise<Buffer | undefined> {
  const bytes = await withFile(root, path, (handle) => handle.readFile());
  return typeof bytes === 'object' ? bytes : undefined;
}

async function withFile<T>(
  root: string,
  path: string,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T | 'forbidden' | undefined> {
  const folder = await holdFolder(root, path, { make: false });
  if (typeof folder === 'string') return undefined;
  let handle: FileHandle | undefined;
  try {
    // Neither followed, should a link have taken its place, nor waited for, should it be a pipe.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    handle = await open(folder.at(basename(path)), flags);
    return await work(handle);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return ['EACCES', 'EPERM'].includes(code) ? 'forbidden' : undefined;
  } finally {
    await handle?.close();
    await folder.close();
  }
}

async function readText(handle: FileHandle): Promise<Pick<StableFile, 'digest' | 'text'>> {
  const bytes = await handle.readFile();
  const isText = isUtf8(bytes) && !bytes.includes(0);
  return { digest: digestOf(bytes), text: isText ? bytes.toString('utf8') : undefined };
}

async function digestInPieces(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ autoClose: false, start: 0 })) hash.update(chunk);
  return `sha256:${hash.digest('hex')}`;
}
