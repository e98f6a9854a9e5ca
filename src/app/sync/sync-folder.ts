/** Keeps a folder and the workspace equal: once, or until it is told to stop. One sync at a time has a folder. */
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import type { Dialect } from '../../domain/workspace/markdown/dialect.ts';
import { tryLockHome } from '../../drivers/home/home-lock.ts';
import type { Clock } from '../../kernel/clock.ts';
import { asSluiceError, SluiceError } from '../../kernel/errors.ts';
import type { CallTool } from '../import-folder.ts';
import { ChangeWatch, type FollowWorkspace } from './change-watch.ts';
import { isEmptied } from './emptied.ts';
import { FolderFiles } from './folder-files.ts';
import { effectsOf, newReport, type SyncReport } from './report.ts';
import { makeSideFolder, readAgreement } from './side-file.ts';
import { type PassMeans, syncPass } from './sync-pass.ts';

export interface SyncWish {
  readonly folder: string;
  readonly home: string;
  readonly dialect: Dialect;
  /** Also pages that nobody accepted yet. */
  readonly candidates: boolean;
  /** A folder that lost everything is meant so; only the first time it is looked at. */
  readonly allowEmpty?: boolean;
  readonly clock: Clock;
  readonly onProgress: (done: number, total: number) => void;
}

export interface SyncMeans {
  /** Opens a way to the tools for as long as the work takes. */
  withTools<T>(work: (call: CallTool) => Promise<T>): Promise<T>;
  /** Tells when something in the workspace changed, where somebody can; the answer ends it. */
  readonly followWorkspace: FollowWorkspace;
}

/** Between passes while something is still changing. */
const PAUSE_MS = 200;
/** What does not come to rest, or stays in the way, is left for later. */
const MAX_PASSES = 1_000;
const MAX_IDLE_PASSES = 50;

export async function syncOnce(use: SyncMeans, wish: SyncWish): Promise<SyncReport> {
  return withFolder(wish, (round) => use.withTools((call) => round(call)));
}

/** Until the signal; tells of each round in which something happened, and of the first. */
export async function syncUntil(
  use: SyncMeans,
  wish: SyncWish,
  signal: AbortSignal,
  hear: {
    /** The folder is there, and ours. */
    begun(): void;
    tell(report: SyncReport): void;
    /** It cannot be done now, and is tried again. */
    troubled(error: SluiceError): void;
  },
): Promise<void> {
  await withFolder(wish, async (round, folder) => {
    hear.begun();
    const watch = new ChangeWatch(folder, use.followWorkspace, signal);
    try {
      for (let isFirst = true; !signal.aborted; await watch.next()) {
        await watch.begin();
        const report = await use
          .withTools((call) => round(call, { signal, isFirst, onFolders: (found) => watch.watch(found) }))
          .catch((error: unknown) => hear.troubled(tolerable(error)));
        if (report && (isFirst || effectsOf(report) > 0 || !report.settled)) hear.tell(report);
        if (report) isFirst = false;
      }
    } finally {
      watch.close();
    }
  });
}

/** A server that stops or starts, a disk that comes back: it is gone on with later. Everything else is an end. */
function tolerable(error: unknown): SluiceError {
  const failure = asSluiceError(error);
  if (isEmptied(failure)) return failure;
  if (['unavailable', 'home_locked', 'cancelled'].includes(failure.code)) return failure;
  throw failure;
}

interface RoundOptions {
  readonly signal?: AbortSignal;
  readonly isFirst?: boolean;
  /** The folders there are, each time they are looked at. */
  readonly onFolders?: (folders: readonly string[]) => void;
}

type Round = (call: CallTool, options?: RoundOptions) => Promise<SyncReport>;

async function withFolder<T>(wish: SyncWish, work: (round: Round, folder: string) => Promise<T>): Promise<T> {
  const folder = await realFolder(wish);
  const side = await makeSideFolder(folder);
  const lock = tryLockHome(join(side, 'lock'));
  if (!lock) throw new SluiceError('conflict', `Another sync has "${folder}"`, { reason: 'locked' });
  try {
    const files = new FolderFiles(folder, () => new Date(wish.clock.now()).toISOString().slice(0, 10));
    await files.recover();
    const means = {
      ...wish,
      folder,
      files,
      agreed: await readAgreement(folder),
      refusedMoves: new Map<string, number>(),
    };
    const round: Round = (call, { signal, isFirst = true, onFolders = () => undefined } = {}) => {
      const allowEmpty = isFirst && wish.allowEmpty === true;
      return untilCalm({ ...means, allowEmpty, call, onFolders, report: newReport() }, signal);
    };
    return await work(round, folder);
  } finally {
    lock.release();
  }
}

async function untilCalm(means: PassMeans, signal?: AbortSignal): Promise<SyncReport> {
  const { report } = means;
  let [effects, idle] = [0, 0];
  for (let n = 0; n < MAX_PASSES && idle < MAX_IDLE_PASSES && !signal?.aborted; n += 1) {
    report.settled = await syncPass(means);
    if (report.settled) break;
    idle = effectsOf(report) > effects ? 0 : idle + 1;
    effects = effectsOf(report);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return report;
}

/** Neither the home itself nor anything around it: its files are no notes. */
export async function realFolder({ folder, home }: Pick<SyncWish, 'folder' | 'home'>): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw new SluiceError('invalid_input', `"${folder}" is not a folder`, { field: 'folder' });
  const real = await realpath(folder);
  const own = await realpath(home).catch(() => home);
  if (lies(own, real) || lies(real, own))
    throw new SluiceError('invalid_input', `"${folder}" must not hold the home, nor lie in it`, {
      field: 'folder',
    });
  return real;
}

function lies(inner: string, outer: string): boolean {
  const way = relative(outer, inner);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
