/** Notices that a folder or the workspace changed, and waits until both rest. A hint only: now and then it is time anyway. */
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { isIgnored } from '../walk-folder.ts';

/** Changes that come together are one: a checkout, a folder that is copied. */
const QUIET_MS = 300;
const AT_LATEST_MS = 3_000;
/** A look at everything: what watching missed, and what cannot be watched. */
const ANYWAY_MS = 60_000;
/** How often is looked for a server while there is none. */
const KNOCK_MS = 1_000;
/** More folders than that are only looked at now and then. */
const MAX_WATCHED = 10_000;

/** Tells of changes in the workspace until it is told to end, or the other side does. */
export type FollowWorkspace = (onChange: () => void, onEnd: () => void) => Promise<(() => void) | undefined>;

export class ChangeWatch {
  readonly #root: string;
  readonly #follow: FollowWorkspace;
  readonly #signal: AbortSignal;
  readonly #watchers = new Map<string, FSWatcher>();
  #unfollow: (() => void) | undefined;
  #isFollowing = false;
  /** When the first and the last change came that nobody has looked at. */
  #first: number | undefined;
  #last = 0;
  #wake: (() => void) | undefined;

  constructor(root: string, follow: FollowWorkspace, signal: AbortSignal) {
    this.#root = root;
    this.#follow = follow;
    this.#signal = signal;
    signal.addEventListener('abort', this.#rouse);
  }

  /** What changed so far is about to be looked at. */
  async begin(): Promise<void> {
    this.#first = undefined;
    if (!this.#isFollowing) await this.#followOn();
  }

  async #followOn(): Promise<void> {
    this.#isFollowing = true;
    const ended = (): void => {
      this.#isFollowing = false;
      this.#rouse();
    };
    this.#unfollow = await this.#follow(this.#stir, ended).catch(() => undefined);
    if (this.#unfollow === undefined) this.#isFollowing = false;
  }

  /** One by one, because the system's own way to watch what is below takes a watch for every single file. */
  watch(folders: readonly string[]): void {
    const wanted = new Set(folders.slice(0, MAX_WATCHED));
    for (const [folder, watcher] of this.#watchers)
      if (!wanted.has(folder)) {
        watcher.close();
        this.#watchers.delete(folder);
      }
    for (const folder of wanted) if (!this.#watchers.has(folder)) this.#watchOne(folder);
  }

  #watchOne(folder: string): void {
    const end = (): void => {
      this.#watchers.get(folder)?.close();
      this.#watchers.delete(folder);
    };
    try {
      const watcher = watch(join(this.#root, folder), (_, name) => {
        if (name === null || !isIgnored(name)) this.#stir();
      });
      watcher.on('error', end);
      this.#watchers.set(folder, watcher);
      // Something may have come before it was watched.
      this.#stir();
    } catch {
      // Gone already, or too many: the look at everything has to do.
    }
  }

  /** Comes when there is something to look at. */
  async next(): Promise<void> {
    const begun = performance.now();
    while (!this.#signal.aborted) {
      const now = performance.now();
      const due =
        this.#first === undefined
          ? begun + ANYWAY_MS
          : Math.min(this.#last + QUIET_MS, this.#first + AT_LATEST_MS);
      if (now >= due) return;
      await this.#sleep(this.#isFollowing ? due - now : Math.min(due - now, KNOCK_MS));
      if (this.#isFollowing || this.#signal.aborted) continue;
      await this.#followOn();
      // Somebody answers again, who may have heard of much meanwhile.
      if (this.#isFollowing) this.#stir();
    }
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#rouse);
    this.#unfollow?.();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  readonly #stir = (): void => {
    this.#last = performance.now();
    this.#first ??= this.#last;
    this.#rouse();
  };

  readonly #rouse = (): void => this.#wake?.();

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
