/**
 * The lock of a home: two processes never write one. It is a lock the operating system takes back when the
 * process ends, however it ends, so there is nothing to clean up after a crash.
 */
import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SluiceError } from '../../kernel/errors.ts';

export interface HomeLock {
  release(): void;
}

const BUSY = 5;

/** Undefined when another process has it. */
export function tryLockHome(path: string): HomeLock | undefined {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive;');
    chmodSync(path, 0o600);
  } catch (error) {
    file.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return undefined;
    throw error;
  }
  return { release: () => file.close() };
}

/** Waits a while for another process to finish. */
export async function lockHome(path: string, waitMs: number): Promise<HomeLock> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = tryLockHome(path);
    if (lock) return lock;
    if (performance.now() >= deadline) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new SluiceError(
    'home_locked',
    'Another process has this home open; "sluice status" shows whether it answers',
  );
}
