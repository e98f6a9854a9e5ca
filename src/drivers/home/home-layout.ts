/** Where everything of a home lies. The folder is its owner's alone, and so is every file in it. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

export interface HomeLayout {
  readonly root: string;
  readonly database: string;
  readonly lock: string;
  readonly keys: string;
  readonly heads: string;
  readonly blobs: string;
  /** What a running process says of itself. */
  readonly running: string;
  readonly socket: string;
  /** Left by a restore for the next start to record. */
  readonly restored: string;
}

/** The kernel's limit for the path of a socket, with its terminating zero. */
const MAX_SOCKET_PATH = 108;

export function homeLayout(root: string): HomeLayout {
  return {
    root,
    database: join(root, 'sluice.db'),
    lock: join(root, 'lock.db'),
    keys: join(root, 'keys'),
    heads: join(root, 'audit-heads'),
    blobs: join(root, 'blobs'),
    running: join(root, 'running.json'),
    socket: socketPath(root),
    restored: join(root, 'restored.json'),
  };
}

/** A home whose own path is too long has its socket in a folder of the same owner, named after the home. */
function socketPath(root: string): string {
  const inside = join(root, 'admin.sock');
  if (Buffer.byteLength(inside) < MAX_SOCKET_PATH) return inside;
  const name = createHash('sha256').update(root).digest('hex').slice(0, 24);
  return join(tmpdir(), `sluice-${userInfo().uid}`, `${name}.sock`);
}

export function makeHome(layout: HomeLayout): void {
  const folders = [layout.root, layout.keys, layout.heads, layout.blobs];
  for (const folder of folders) makePrivate(folder);
}

export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}
