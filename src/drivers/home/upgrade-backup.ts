/** The backup a home makes of itself before its schema changes, so that the Sluice that wrote it can have it back. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../kernel/log.ts';
import { type BackupMeans, writeBackup } from './backup.ts';
import { makePrivate } from './home-layout.ts';

const KEPT = 3;

/**
 * `first` is the first change that is still to come. One that was made for an attempt that failed is replaced: the
 * older Sluice may have written since.
 */
export async function backUpBeforeUpgrade(
  use: BackupMeans & { readonly log: Log },
  first: string,
): Promise<void> {
  const { upgrades } = use.layout;
  const target = join(upgrades, `before-${first}`);
  makePrivate(upgrades);
  await rm(target, { recursive: true, force: true });
  await writeBackup(use, target);
  use.log.warn('backed_up_before_upgrade', { path: target, reason: first });
  // Changes are numbered, so the order of names is the order of upgrades.
  for (const name of (await readdir(upgrades)).sort().slice(0, -KEPT))
    await rm(join(upgrades, name), { recursive: true, force: true });
}
