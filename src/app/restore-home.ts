/** Restoring a home: offline, with its lock, so that nobody works on what is being exchanged. */
import { type HomeLayout, homeLayout, makePrivate } from '../drivers/home/home-layout.ts';
import { type HomeLock, lockHome } from '../drivers/home/home-lock.ts';
import { checkBackup, restoreBackup } from '../drivers/home/restore.ts';
import { unusableHome } from '../drivers/home/unusable-home.ts';
import { countValidClients } from '../drivers/store/sqlite/count-clients.ts';
import { systemClock } from '../kernel/clock.ts';

export interface RestoreReport {
  readonly restored: boolean;
  readonly created_at: string;
  readonly files: number;
  readonly former: string | null;
  /** Tokens are as they were: clients that are let in (again), also those revoked since. Null if nothing was done. */
  readonly valid_clients: number | null;
}

export async function restoreHome(home: string, backup: string, really: boolean): Promise<RestoreReport> {
  if (!really) {
    const manifest = await checkBackup(backup);
    return {
      restored: false,
      created_at: manifest.created_at,
      files: Object.keys(manifest.files).length,
      former: null,
      valid_clients: null,
    };
  }
  const layout = homeLayout(home);
  const lock = await lockUsable(layout);
  try {
    const now = systemClock.now();
    const { manifest, former } = await restoreBackup(layout, backup, now);
    return {
      restored: true,
      created_at: manifest.created_at,
      files: Object.keys(manifest.files).length,
      former: former ?? null,
      valid_clients: countValidClients(layout.database, now),
    };
  } finally {
    lock.release();
  }
}

async function lockUsable({ root, lock }: HomeLayout): Promise<HomeLock> {
  try {
    makePrivate(root);
    return await lockHome(lock, 0);
  } catch (error) {
    throw unusableHome(root, error) ?? error;
  }
}
