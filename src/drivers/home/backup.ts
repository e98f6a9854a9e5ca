/** Copies a home while it is in use: the database by SQLite's own online backup, the rest file by file, with checksums. */
import { createHash } from 'node:crypto';
import { constants, createReadStream, existsSync } from 'node:fs';
import { chmod, cp, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { SluiceError } from '../../kernel/errors.ts';
import type { HomeLayout } from './home-layout.ts';

export interface BackupMeans {
  readonly layout: HomeLayout;
  readonly store: { backup(path: string): Promise<void> };
  readonly clock: { now(): number };
  readonly version: string;
}

export interface Manifest {
  readonly format: 'sluice-backup-1';
  readonly version: string;
  readonly created_at: string;
  /** Digest and size of every file, by its path in the backup. */
  readonly files: Readonly<Record<string, { readonly sha256: string; readonly bytes: number }>>;
}

export const MANIFEST = 'manifest.json';

/** Appears whole or not at all: it is written beside its place and renamed into it. */
export async function writeBackup(use: BackupMeans, target: string): Promise<Manifest> {
  const place = resolve(target);
  if (existsSync(place)) {
    throw new SluiceError('conflict', `"${place}" exists already; a backup makes its own folder`, {
      reason: 'exists',
    });
  }
  const draft = join(dirname(place), `.${basename(place)}.partial`);
  try {
    await makeFolders(dirname(place));
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    const copy = (folder: string): Promise<void> =>
      cp(folder, join(draft, relative(use.layout.data, folder)), {
        recursive: true,
        preserveTimestamps: true,
        mode: constants.COPYFILE_FICLONE,
      });
    // While others write: a head must not be newer than the records it is about, nor a record than its blob.
    await copy(use.layout.heads);
    await use.store.backup(join(draft, 'sluice.db'));
    await copy(use.layout.keys);
    await copy(use.layout.blobs);
    if (existsSync(use.layout.config)) await cp(use.layout.config, join(draft, 'config.json'));
    const manifest: Manifest = {
      format: 'sluice-backup-1',
      version: use.version,
      created_at: new Date(use.clock.now()).toISOString(),
      files: await digestFiles(draft),
    };
    await writeFile(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    await chmod(draft, 0o700);
    await syncAll(draft);
    await rename(draft, place);
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw notWritten(place, error);
  }
}

/** One by one: Node's own recursive form never ends where the file system takes no folders, as in /proc. */
async function makeFolders(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolders(dirname(folder));
  await mkdir(folder, { mode: 0o700 });
}

function notWritten(place: string, error: unknown): SluiceError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code?.startsWith('E') && !code.startsWith('ERR_') ? code : message;
  return new SluiceError('unavailable', `The backup "${place}" could not be written: ${reason}`, {}, error);
}

export async function digestFiles(folder: string): Promise<Manifest['files']> {
  const files: Record<string, { sha256: string; bytes: number }> = {};
  for (const path of await filesBelow(folder)) {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of createReadStream(join(folder, path))) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    files[path] = { sha256: hash.digest('hex'), bytes };
  }
  return files;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

export async function syncAll(folder: string): Promise<void> {
  for (const path of [...(await filesBelow(folder)), '.']) {
    const file = await open(join(folder, path), 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}
