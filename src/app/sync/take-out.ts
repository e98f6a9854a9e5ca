/** Out of the workspace what was deleted from the folder, or at least to whoever has to agree to it. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { SluiceError } from '../../kernel/errors.ts';
import type { FileWork, PageWork } from './compare.ts';
import { noteOddity } from './report.ts';
import { type Scan, SETTLE_MS } from './scan-folder.ts';
import type { TiedFile, TiedPage } from './side-file.ts';
import type { SyncMeans } from './take-in.ts';

interface Gone {
  readonly path: string;
  /** Of a page; without one it is an attachment. */
  readonly page?: string;
  readonly tied: TiedPage | TiedFile | undefined;
}

/** Of a call. */
const AT_ONCE = 500;

/** Answers how much it did. */
export async function takeOut(
  use: SyncMeans,
  scan: Scan,
  pages: readonly PageWork[],
  files: readonly FileWork[],
): Promise<number> {
  const gone: Gone[] = [
    ...pages
      .filter(({ decision }) => decision.do === 'trash')
      .map(({ id = '', tied }) => ({ path: tied?.path ?? '', page: id, tied })),
    ...files.filter(({ decision }) => decision === 'detach').map(({ path, tied }) => ({ path, tied })),
  ];
  if (gone.length === 0) return 0;
  // Editors that write beside and rename leave no file for a moment.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  for (const { path } of gone)
    if (!scan.files.has(path) && (await isThere(join(use.folder, path)))) {
      use.again();
      return 0;
    }
  const open: Gone[] = [];
  for (const one of gone) if (!(await waits(use, one))) open.push(one);
  for (let i = 0; i < open.length; i += AT_ONCE) await remove(use, open.slice(i, i + AT_ONCE));
  await use.save();
  return gone.length;
}

const isThere = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isFile() === true;

/** Asked for once already. What was decided otherwise since is written to the folder again. */
async function waits(use: SyncMeans, one: Gone): Promise<boolean> {
  if (one.tied?.asked === undefined) return false;
  const { state } = await use
    .call('read_proposal', { proposal: one.tied.asked })
    .catch((error: unknown): Record<string, unknown> => {
      if (error instanceof SluiceError && error.code === 'not_found') return {};
      throw error;
    });
  if (state === 'pending') tellWaiting(use, one);
  else {
    forget(use, one);
    use.again();
  }
  use.onProgress();
  return true;
}

const tellWaiting = (use: SyncMeans, { path }: Gone): void =>
  noteOddity(use.report, { path, problem: 'is gone from the folder; that it goes waits for an author' });

function forget({ agreed }: SyncMeans, { path, page }: Gone): void {
  if (page === undefined) agreed.files.delete(path);
  else agreed.pages.delete(page);
}

interface Removed {
  readonly files?: readonly { readonly path: string; readonly outcome: string }[];
  readonly proposal?: { readonly id: string };
}

async function remove(use: SyncMeans, some: readonly Gone[]): Promise<void> {
  const files = some.map(({ path, page, tied }) =>
    page === undefined
      ? { path, digest: tied?.digest }
      : { path, page, version: (tied as TiedPage | undefined)?.version },
  );
  let answer: Removed;
  try {
    answer = await use.call('remove_files', { files });
  } catch (error) {
    if (!(error instanceof SluiceError && error.code === 'denied')) throw error;
    return refused(use, some, error);
  }
  const { files: done = [], proposal } = answer;
  const left = new Set(done.filter(({ outcome }) => outcome === 'changed').map(({ path }) => path));
  for (const one of some) {
    if (proposal) wait(use, one, proposal.id);
    else if (left.has(one.path)) use.again();
    else {
      use.report.taken.removed += 1;
      forget(use, one);
    }
    use.onProgress();
  }
}

function wait(use: SyncMeans, one: Gone, asked: string): void {
  if (one.tied) one.tied.asked = asked;
  tellWaiting(use, one);
}

/** One that may not go does not keep the others. */
async function refused(use: SyncMeans, some: readonly Gone[], { message }: SluiceError): Promise<void> {
  const [first] = some;
  if (first && some.length === 1) noteOddity(use.report, { path: first.path, problem: message });
  else for (const one of some) await remove(use, [one]);
}
