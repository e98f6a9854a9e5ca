/**
 * Changes files of a synced folder so that nobody's text is lost: each whole or not at all, never over something that
 * was not looked at, never out of the folder. What somebody wrote in the very moment is kept beside.
 */
import { randomUUID } from 'node:crypto';
import {
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { digestOfFile, ensureFolder } from '../export-files.ts';
import { conflictName } from './conflict-name.ts';
import { lookOf, looksLike } from './read-stable.ts';
import type { SeenFile } from './scan-folder.ts';
import { SIDE_FOLDER } from './side-file.ts';

/** `changed`: the file is not what was seen. `taken`: something is there. Everything else says what is wrong. */
export type Change = 'done' | 'changed' | 'taken' | { readonly problem: string };

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

  async create(path: string, bytes: Buffer): Promise<Change> {
    const problem = await this.#way(path);
    if (problem !== undefined) return { problem };
    const draft = await this.#draft(bytes, 0o644);
    return this.#linkTo(draft, path).finally(() => rm(draft, { force: true }));
  }

  async replace(seen: SeenFile, bytes: Buffer): Promise<Change> {
    const problem = await this.#way(seen.path);
    if (problem !== undefined) return { problem };
    const stat = await this.#unchanged(seen);
    if (!stat) return 'changed';
    const draft = await this.#draft(bytes, Number(stat.mode) & 0o777);
    try {
      // A second name for what is replaced: should it not be what was seen, it is still there.
      const kept = await this.#keep(seen);
      if (kept === undefined) return 'changed';
      await rename(draft, join(this.#root, seen.path));
      await this.#release(kept, seen.digest, seen.path);
      return 'done';
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Bytes and time stay as they are. */
  async move(seen: SeenFile, to: string): Promise<Change> {
    const problem = (await this.#way(seen.path)) ?? (await this.#way(to));
    if (problem !== undefined) return { problem };
    if (!(await this.#unchanged(seen))) return 'changed';
    const from = join(this.#root, seen.path);
    const linked = await this.#linkTo(from, to);
    if (linked === 'taken' && !(await isSameFile(from, join(this.#root, to)))) return 'taken';
    if (typeof linked === 'object') return linked;
    // Two names of one file: on a system that tells no cases apart they are one name.
    if (linked === 'taken' && seen.path.toLowerCase() === to.toLowerCase())
      await rename(from, join(this.#root, to));
    else await unlink(from);
    await this.#pruneAbove(seen.path);
    return 'done';
  }

  async remove(seen: SeenFile): Promise<Change> {
    const problem = await this.#way(seen.path);
    if (problem !== undefined) return 'changed';
    if (!(await this.#unchanged(seen))) return 'changed';
    const kept = this.#keptName(seen);
    await rename(join(this.#root, seen.path), kept);
    await this.#release(kept, seen.digest, seen.path);
    await this.#pruneAbove(seen.path);
    return 'done';
  }

  /** Keeps a text beside the file it was for, once. */
  async putBeside(path: string, bytes: Buffer, digest: string): Promise<string | undefined> {
    if ((await this.#way(path)) !== undefined) return undefined;
    const draft = await this.#draft(bytes, 0o644);
    return this.#beside(draft, digest, path).finally(() => rm(draft, { force: true }));
  }

  /** Makes the folders on the way; says what is wrong with it. */
  async #way(path: string): Promise<string | undefined> {
    const folder = dirname(path);
    const problem = await ensureFolder(this.#root, folder).catch(problemOf);
    if (problem !== undefined) return problem;
    // Again as the system sees it, in case a link took the place of a folder meanwhile.
    const real = await realpath(join(this.#root, folder)).catch(() => undefined);
    if (real !== join(this.#root, folder)) return `"${folder}" does not lie in the folder any more`;
    const [own, other] = await Promise.all([lstat(this.#drafts), lstat(real)]);
    return own.dev === other.dev ? undefined : `"${folder}" lies on another file system; it is left alone`;
  }

  async #draft(bytes: Buffer, mode: number): Promise<string> {
    const path = join(this.#drafts, randomUUID());
    const file = await open(path, 'wx', mode);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(path, mode);
    return path;
  }

  /** Never over anything; without links, as on some memory sticks, as nearly so as can be. */
  async #linkTo(from: string, path: string): Promise<Change> {
    const to = join(this.#root, path);
    try {
      await link(from, to);
      return 'done';
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return 'taken';
      if (!NO_LINKS.has(code)) return { problem: problemOf(error) };
    }
    if (await lstat(to).catch(() => undefined)) return 'taken';
    await rename(from, to);
    return 'done';
  }

  async #unchanged(seen: SeenFile) {
    const stat = await lstat(join(this.#root, seen.path), { bigint: true }).catch(() => undefined);
    return stat?.isFile() && looksLike(seen.look, lookOf(stat)) ? stat : undefined;
  }

  #keptName({ path, digest }: SeenFile): string {
    const name = Buffer.from(basename(path))
      .subarray(0, 150)
      .toString('utf8')
      .replace(/\uFFFD+$/, '');
    return join(this.#replaced, `${digest.slice('sha256:'.length)}~${name}`);
  }

  async #keep(seen: SeenFile): Promise<string | undefined> {
    const kept = this.#keptName(seen);
    await rm(kept, { force: true });
    try {
      await link(join(this.#root, seen.path), kept);
      return kept;
    } catch (error) {
      if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      return (await digestOfFile(join(this.#root, seen.path))) === seen.digest ? kept : undefined;
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
      if ((await digestOfFile(join(this.#root, name))) === digest) return name;
      if ((await this.#linkTo(from, name)) !== 'done') continue;
      this.#kept.push(name);
      return name;
    }
    return undefined;
  }

  /** Folders that the last file left. */
  async #pruneAbove(path: string): Promise<void> {
    for (let at = dirname(path); at !== '.'; at = dirname(at)) {
      try {
        await rmdir(join(this.#root, at));
      } catch {
        return;
      }
    }
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

const problemOf = (error: unknown): string =>
  `cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`;

async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => lstat(path).catch(() => undefined)));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}
