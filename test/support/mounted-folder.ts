/** A folder on a small file system of its own, which only the processes started within it see: to fill it, or to forbid writing. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** True where this user may mount in a namespace of its own. */
export const canMount = (): boolean =>
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

export const CANNOT_MOUNT = 'needs the right to mount in a namespace (unshare -rm)';

/** The words to put before a command. `prepare` is shell that runs in the folder once it is there. */
export const mountedOn = (folder: string, options: string, prepare = 'true'): readonly string[] => [
  'unshare',
  '-rm',
  'sh',
  '-c',
  `mount -t tmpfs -o "$1" none "$2" && (cd "$2" && ${prepare}) && shift 2 && exec "$@"`,
  'sh',
  options,
  folder,
];

/** The folder as a process within sees it. */
export const seenBy = (pid: number | undefined, folder: string): string => `/proc/${pid}/root${folder}`;

/** Uses up what is left; answers how to give it back. */
export function fill(folder: string): () => void {
  const filler = join(folder, 'filler');
  for (const size of [256 * 1024, 4096, 1]) {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  return () => rmSync(filler);
}
