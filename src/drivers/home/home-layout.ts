/** Where everything of a home lies. The folder is its owner's alone, and so is every file in it. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

export interface HomeLayout {
  readonly root: string;
  /** Everything that must not be lost; the rest can be made again. */
  readonly data: string;
  readonly database: string;
  readonly keys: string;
  readonly heads: string;
  readonly blobs: string;
  /** Left by a restore for the next start to record. */
  readonly restored: string;
  /** A restore that is being prepared. */
  readonly incoming: string;
  /** Backups that were made before the schema was changed. */
  readonly upgrades: string;
  readonly config: string;
  readonly lock: string;
  /** What a running process says of itself. */
  readonly running: string;
  readonly socket: string;
}

/** The kernel's limit for the path of a socket, with its terminating zero. */
const MAX_SOCKET_PATH = 108;

export function homeLayout(root: string): HomeLayout {
  const data = join(root, 'data');
  return {
    root,
    data,
    database: join(data, 'sluice.db'),
    keys: join(data, 'keys'),
    heads: join(data, 'audit-heads'),
    blobs: join(data, 'blobs'),
    restored: join(data, 'restored.json'),
    incoming: join(root, 'incoming'),
    upgrades: join(root, 'before-upgrades'),
    config: join(root, 'config.json'),
    lock: join(root, 'lock.db'),
    running: join(root, 'running.json'),
    socket: socketPath(root),
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
  for (const folder of [layout.root, layout.data, layout.keys, layout.heads, layout.blobs])
    makePrivate(folder);
}

export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}
