/** Whether version control is just changing files: half of a checkout is nobody's state. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

/** An older lock is one that was left behind. */
const GIT_LOCK_MS = 60_000;

export async function isGitBusy(folder: string): Promise<boolean> {
  const lock = await lstat(join(folder, '.git', 'index.lock')).catch(() => undefined);
  return lock !== undefined && Date.now() - lock.mtimeMs < GIT_LOCK_MS;
}
