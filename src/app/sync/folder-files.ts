/**
 * Changes files of a synced folder so that nobody's text is lost: each whole or not at all, never over something that
 * was not looked at, never out of the folder. What somebody wrote in the very moment is kept beside.
 */
import { randomUUID } from 'node:crypto';
import {
  chmod,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { digestOfFile } from '../export-files.ts';
import { conflictName } from './conflict-name.ts';
import { isGitBusy } from './git-busy.ts';
import { lookOf, looksLike } from './read-stable.ts';
import type { SeenFile } from './scan-folder.ts';
import { SIDE_FOLDER } from './side-file.ts';
import { holdFolder } from './within-folder.ts';

/** `changed`: the file is not what was seen. `taken`: something is there. Everything else says what is wrong. */
export type Change = 'done' | 'changed' | 'taken' | { readonly problem: string };

/** A file of ours that is whole, under a name of its own. */
interface Draft {
  readonly path: string;
  readonly file: FileHandle;
}

export class FolderFiles {
  readonly #root: string;
  readonly #drafts: string;
  readonly #replaced: string;
  readonly #today: () => string;
  /** Files that were put beside, since it was last asked. */
  #kept: string[] = [];

  /** The root must be a real path. */
  constructor(root: string, today: () => string) {
    this.#root = root;
    this.#drafts = join(root, SIDE_FOLDER, 'drafts');
    this.#replaced = join(root, SIDE_FOLDER, 'replaced');
    this.#today = today;
  }

  /** Clears up after a sync that was killed. What it had replaced is what its name says, or somebody's text. */
  async recover(): Promise<void> {
    await rm(this.#drafts, { recursive: true, force: true });
    await mkdir(this.#drafts, { recursive: true });
    await mkdir(this.#replaced, { recursive: true });
    for (const name of await readdir(this.#replaced)) {
      const [hex = '', ...rest] = name.split('~');
      await this.#release(join(this.#replaced, name), `sha256:${hex}`, rest.join('~'));
    }
  }

  takeKept(): readonly string[] {
    const kept = this.#kept;
    this.#kept = [];
    return kept;
  }

  create(path: string, bytes: Buffer): Promise<Change> {
    return this.#at(path, true, (target) =>
      this.#withDraft(bytes, 0o644, async (draft) => {
        if (await isGitBusy(this.#root)) return 'changed';
        const change = await linkTo(draft.path, target);
        if (change === 'done') return this.#arrived(draft, target);
        // A file that came there meanwhile is looked at first.
        return change === 'taken' && (await lstat(target)).isFile() ? 'changed' : change;
      }),
    );
  }

  replace(seen: SeenFile, bytes: Buffer): Promise<Change> {
    return this.#at(seen.path, false, async (target) => {
      const stat = await unchanged(target, seen);
      if (!stat) return 'changed';
      return this.#withDraft(bytes, Number(stat.mode) & 0o777, async (draft) => {
        // A second name for what is replaced: should it not be what was seen, it is still there.
        const kept = await this.#keep(target, seen);
        if (kept === undefined || (await isGitBusy(this.#root))) return 'changed';
        await rename(draft.path, target);
        await this.#release(kept, seen.digest, seen.path);
        return this.#arrived(draft, target);
      });
    });
  }

  /** Bytes and time stay as they are. */
  async move(seen: SeenFile, to: string): Promise<Change> {
    const change = await this.#at(seen.path, false, (from) =>
      this.#at(to, true, (target) => moveFile(seen, from, target, to)),
    );
    if (change === 'done') await this.#pruneAbove(seen.path);
    return change;
  }

  async remove(seen: SeenFile): Promise<Change> {
    const change = await this.#at(seen.path, false, async (target) => {
      if (!(await unchanged(target, seen)) || (await isGitBusy(this.#root))) return 'changed';
      const kept = this.#keptName(seen);
      await rename(target, kept);
      await this.#release(kept, seen.digest, seen.path);
      return 'done';
    });
    if (change === 'done') await this.#pruneAbove(seen.path);
    return change;
  }

  /** Keeps a text beside the file it was for, once. */
  async putBeside(path: string, bytes: Buffer, digest: string): Promise<string | undefined> {
    return this.#withDraft(bytes, 0o644, (draft) => this.#beside(draft.path, digest, path));
  }

  /** Works on a file by a way that nobody can bend meanwhile. */
  async #at(path: string, make: boolean, work: (target: string) => Promise<Change>): Promise<Change> {
    const folder = await holdFolder(this.#root, path, { make });
    if (typeof folder === 'string') return make ? { problem: folder } : 'changed';
    try {
      return await work(folder.at(basename(path)));
    } catch (error) {
      const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' ? 'changed' : { problem: `cannot be written (${code})` };
    } finally {
      await folder.close();
    }
  }

  async #withDraft<T>(bytes: Buffer, mode: number, work: (draft: Draft) => Promise<T>): Promise<T> {
    const path = join(this.#drafts, randomUUID());
    const file = await open(path, 'wx', mode);
    try {
      await file.writeFile(bytes);
      await file.sync();
      await chmod(path, mode);
      return await work({ path, file });
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
  }

  /**
   * A checkout that looked at the place before our file came there writes over it without a further look, and has its
   * lock until it has. Where there is none any more, it is seen by now what it wrote.
   */
  async #arrived({ file }: Draft, target: string): Promise<Change> {
    if (await isGitBusy(this.#root)) return 'changed';
    // Ours is open, so that what was written instead cannot have its number.
    const [own, found] = [await file.stat(), await lstat(target)];
    return own.ino === found.ino && own.dev === found.dev ? 'done' : 'changed';
  }

  #keptName({ path, digest }: SeenFile): string {
    const name = Buffer.from(basename(path))
      .subarray(0, 150)
      .toString('utf8')
      .replace(/\uFFFD+$/, '');
    return join(this.#replaced, `${digest.slice('sha256:'.length)}~${name}`);
  }

  async #keep(target: string, seen: SeenFile): Promise<string | undefined> {
    const kept = this.#keptName(seen);
    await rm(kept, { force: true });
    try {
      await link(target, kept);
      return kept;
    } catch (error) {
      if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      return (await digestOfFile(target)) === seen.digest ? kept : undefined;
    }
  }

  /** Lets go of what was replaced, unless somebody wrote to it in the last moment. */
  async #release(kept: string, digest: string, path: string): Promise<void> {
    const found = await digestOfFile(kept);
    if (found === undefined) return;
    if (found !== digest) await this.#beside(kept, found, path);
    await rm(kept, { force: true });
  }

  async #beside(from: string, digest: string, path: string): Promise<string | undefined> {
    for (let n = 1; n < 1_000; n += 1) {
      const name = conflictName(path, this.#today(), n);
      const change = await this.#at(name, true, async (target) =>
        (await digestOfFile(target)) === digest ? 'done' : this.#putThere(from, target, name),
      );
      if (change === 'done') return name;
      if (change !== 'taken') return undefined;
    }
    return undefined;
  }

  async #putThere(from: string, target: string, name: string): Promise<Change> {
    const change = await linkTo(from, target);
    if (change === 'done') this.#kept.push(name);
    return change;
  }

  /** Folders that the last file left. */
  async #pruneAbove(path: string): Promise<void> {
    for (let at = dirname(path); at !== '.'; at = dirname(at)) {
      const pruned = await this.#at(at, false, async (target) => {
        await rmdir(target);
        return 'done';
      });
      if (pruned !== 'done') return;
    }
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Never over anything; without links, as on some memory sticks, as nearly so as can be. */
async function linkTo(from: string, to: string): Promise<Change> {
  try {
    await link(from, to);
    return 'done';
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return 'taken';
    if (!NO_LINKS.has(code)) throw error;
  }
  if (await lstat(to).catch(() => undefined)) return 'taken';
  await rename(from, to);
  return 'done';
}

async function moveFile(seen: SeenFile, from: string, to: string, path: string): Promise<Change> {
  if (!(await unchanged(from, seen))) return 'changed';
  const linked = await linkTo(from, to);
  if (linked === 'taken' && !(await isSameFile(from, to))) return 'taken';
  // Two names of one file: on a system that tells no cases apart they are one name.
  if (linked === 'taken' && seen.path.toLowerCase() === path.toLowerCase()) await rename(from, to);
  else await unlink(from).catch(() => undefined);
  return 'done';
}

async function unchanged(target: string, seen: SeenFile) {
  const stat = await lstat(target, { bigint: true }).catch(() => undefined);
  return stat?.isFile() && looksLike(seen.look, lookOf(stat)) ? stat : undefined;
}

async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => lstat(path).catch(() => undefined)));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}
