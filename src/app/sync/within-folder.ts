/**
 * The way to a file in a folder that others write to, gone step by step with each folder held open, so that a link that
 * takes the place of one meanwhile leads nowhere. Where the system has no names for open folders, as near as can be.
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

export interface HeldFolder {
  /** The path of a file in it; only good until it is let go. */
  at(name: string): string;
  close(): Promise<void>;
}

const HELD = '/proc/self/fd';
const holds = process.platform === 'linux' && existsSync(HELD);
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** The folder that the path lies in; a sentence when it is none. */
export async function holdFolder(
  root: string,
  path: string,
  options: { readonly make: boolean },
): Promise<HeldFolder | string> {
  const parts = path.split('/').slice(0, -1);
  let handle: FileHandle | undefined;
  let way = root;
  try {
    if (holds) handle = await open(root, FOLDER);
    for (const part of parts) {
      const opened: Step = await step(
        handle ? `${HELD}/${handle.fd}/${part}` : join(way, part),
        options.make,
      );
      await handle?.close();
      handle = typeof opened === 'object' ? opened : undefined;
      if (opened === undefined) return `"${parts.join('/')}" is not a folder`;
      way = join(way, part);
    }
  } catch (error) {
    await handle?.close();
    return `cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`;
  }
  const held = handle;
  return {
    at: (name: string) => (held ? `${HELD}/${held.fd}/${name}` : join(way, name)),
    close: async () => held?.close(),
  };
}

type Step = FileHandle | 'there' | undefined;

async function step(path: string, make: boolean): Promise<Step> {
  for (let isMade = false; ; isMade = true) {
    try {
      if (holds) return await open(path, FOLDER);
      return (await lstat(path)).isDirectory() ? 'there' : undefined;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (['ENOTDIR', 'ELOOP'].includes(code)) return undefined;
      if (code !== 'ENOENT' || isMade) throw error;
      if (!make) return undefined;
      await mkdir(path).catch(() => undefined);
    }
  }
}
