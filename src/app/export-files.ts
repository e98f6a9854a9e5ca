/** Writing into a folder that others may have prepared: nothing is followed out of it, nothing is left half. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Makes the folders on the way; says what stands in it. */
export async function ensureFolder(root: string, path: string): Promise<string | undefined> {
  if (path === '.') return undefined;
  let at = root;
  for (const part of path.split('/')) {
    at = join(at, part);
    const found = await lstatIfThere(at);
    if (!found) await mkdir(at);
    else if (!found.isDirectory()) return `"${at}" is not a folder`;
  }
  return undefined;
}

/** Undefined when nothing is there; a link or a folder is like nothing an export writes. */
export async function digestOfFile(path: string): Promise<string | undefined> {
  const found = await lstatIfThere(path);
  if (!found) return undefined;
  if (!found.isFile()) return 'no file';
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return `sha256:${hash.digest('hex')}`;
}

export async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const draft = join(dirname(path), `.sluice-${randomUUID()}`);
  try {
    const file = await open(draft, 'wx', 0o644);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function lstatIfThere(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
