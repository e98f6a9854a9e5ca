/**
 * Puts a backup in a home's place. Everything is copied and checked beside it first; the exchange itself is two
 * renames, and a crash between them is finished by the next start. What was there before is kept.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SluiceError } from '../../kernel/errors.ts';
import { digestFiles, MANIFEST, type Manifest, syncAll } from './backup.ts';
import { type HomeLayout, makePrivate } from './home-layout.ts';

const manifestShape = z.object({
  format: z.literal('sluice-backup-1'),
  version: z.string(),
  created_at: z.string(),
  files: z.record(z.string(), z.object({ sha256: z.string(), bytes: z.int() })),
});

/** Written last: from here on the incoming data is complete. */
const READY = 'ready';

/** Needs the home's lock. Answers the backup's manifest and where the former data went, if there was any. */
export async function restoreBackup(
  layout: HomeLayout,
  backup: string,
  now: number,
): Promise<{ readonly manifest: Manifest; readonly former: string | undefined }> {
  const manifest = await checkBackup(backup);
  try {
    await prepareIncoming(layout, backup, manifest, now);
  } catch (error) {
    throw new SluiceError(
      'unavailable',
      `The backup could not be copied beside the home's data (${(error as NodeJS.ErrnoException).code}); the home is as it was`,
      {},
      error,
    );
  }
  return { manifest, former: exchange(layout) };
}

async function prepareIncoming(
  layout: HomeLayout,
  backup: string,
  manifest: Manifest,
  now: number,
): Promise<void> {
  await rm(layout.incoming, { recursive: true, force: true });
  makePrivate(layout.incoming);
  const data = join(layout.incoming, 'data');
  await cp(backup, data, { recursive: true, preserveTimestamps: true });
  const { files: _, ...facts } = manifest;
  await writeFile(
    join(data, 'restored.json'),
    JSON.stringify({ ...facts, restored_at: new Date(now).toISOString() }),
  );
  await syncAll(layout.incoming);
  await writeFile(join(layout.incoming, READY), String(now));
  await syncAll(layout.incoming);
}

/**
 * What a restore that was interrupted left to do: at its very end the exchange, before that only to be forgotten.
 * Needs the home's lock.
 */
export function finishRestore(layout: HomeLayout): void {
  if (existsSync(join(layout.incoming, READY))) exchange(layout);
  else rmSync(layout.incoming, { recursive: true, force: true });
}

function exchange(layout: HomeLayout): string | undefined {
  const stamp = readFileSync(join(layout.incoming, READY), 'utf8');
  const former = join(layout.root, `data-before-${stamp}`);
  const incoming = join(layout.incoming, 'data');
  // Interrupted after the first rename there is nothing to move away any more; after the second nothing to move in.
  if (existsSync(incoming)) {
    if (existsSync(layout.data)) renameSync(layout.data, former);
    renameSync(incoming, layout.data);
  }
  adoptConfig(layout);
  rmSync(join(layout.incoming, READY));
  rmSync(layout.incoming, { recursive: true, force: true });
  return existsSync(former) ? former : undefined;
}

/** A home that has a configuration of its own keeps it. */
function adoptConfig(layout: HomeLayout): void {
  const config = join(layout.data, 'config.json');
  if (!existsSync(config) || existsSync(layout.config)) return;
  const draft = `${layout.config}.draft`;
  copyFileSync(config, draft);
  renameSync(draft, layout.config);
}

export async function checkBackup(backup: string): Promise<Manifest> {
  const manifest = manifestShape.safeParse(await readManifest(join(backup, MANIFEST)));
  if (!manifest.success) {
    throw new SluiceError(
      'invalid_input',
      `"${backup}" is not a backup of Sluice: it has no valid ${MANIFEST}`,
    );
  }
  const { [MANIFEST]: _, ...found } = await digestFiles(backup);
  for (const path of new Set([...Object.keys(manifest.data.files), ...Object.keys(found)])) {
    const [wanted, there] = [manifest.data.files[path], found[path]];
    if (wanted?.sha256 === there?.sha256) continue;
    const problem = there ? (wanted ? 'was changed' : 'does not belong to it') : 'is missing';
    throw new SluiceError('integrity_failed', `The backup is damaged: "${path}" ${problem}`, { path });
  }
  return manifest.data;
}

async function readManifest(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (error instanceof SyntaxError || ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)) return undefined;
    throw error;
  }
}
