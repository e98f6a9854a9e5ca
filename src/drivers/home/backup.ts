/** Copies a home while it is in use: the database by SQLite's own online backup, the rest file by file, with checksums. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
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
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    await use.store.backup(join(draft, 'sluice.db'));
    for (const folder of [use.layout.keys, use.layout.heads, use.layout.blobs]) {
      await cp(folder, join(draft, relative(use.layout.data, folder)), {
        recursive: true,
        preserveTimestamps: true,
      });
    }
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
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
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
