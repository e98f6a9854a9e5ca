/** One pass: looks at both sides, takes in what the folder has, looks again, writes out what the workspace has. */
import type { Dialect } from '../../domain/workspace/markdown/dialect.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { CallTool } from '../import-folder.ts';
import { type Comparison, compare } from './compare.ts';
import { refuseEmptied } from './emptied.ts';
import type { FolderFiles } from './folder-files.ts';
import { isGitBusy } from './git-busy.ts';
import { type Listing, listWorkspace } from './listing.ts';
import { effectsOf, noteOddity, type SyncReport } from './report.ts';
import { type Scan, scanFolder } from './scan-folder.ts';
import { type Agreement, writeAgreement } from './side-file.ts';
import { takeIn } from './take-in.ts';
import { writeOut } from './write-out.ts';

export interface PassMeans {
  readonly call: CallTool;
  /** A real path. */
  readonly folder: string;
  readonly dialect: Dialect;
  readonly candidates: boolean;
  /** A folder that lost everything is meant so. */
  readonly allowEmpty?: boolean;
  readonly agreed: Agreement;
  readonly files: FolderFiles;
  readonly report: SyncReport;
  /** Pages whose files the workspace would not have as moved, and how often. */
  readonly refusedMoves: Map<string, number>;
  readonly onFolders: (folders: readonly string[]) => void;
  readonly onProgress: (done: number, total: number) => void;
}

/** True when both are equal now, as far as can be seen. */
export async function syncPass(means: PassMeans): Promise<boolean> {
  const { call, agreed, report, folder } = means;
  if (await isGitBusy(folder)) return false;
  const scan = await scanFolder(folder, agreed);
  means.onFolders(scan.walked);
  for (const oddity of scan.odd) noteOddity(report, oddity);
  const listing = await listWorkspace(call);
  checkSame(agreed, listing);
  const before = lookedAt(agreed);
  const effects = effectsOf(report);
  let isCalm = scan.unsettled === 0;
  const again = (): void => {
    isCalm = false;
  };
  let work = compareBoth(means, scan, listing);
  if (!means.allowEmpty) refuseEmptied(folder, work);
  const progress = countProgress(work, means.onProgress);
  const save = (): Promise<void> => writeAgreement(folder, agreed);
  const use = { ...means, again, save, onProgress: progress };
  // A file that is gone may be one that is just arriving under another name.
  const certain = scan.unsettled === 0 ? work : withoutDeletions(work);
  const taken = await takeIn(use, scan, certain);
  const current = taken > 0 ? await listWorkspace(call) : listing;
  if (taken > 0) work = compareBoth(means, scan, current);
  await writeOut(use, work);
  for (const kept of means.files.takeKept()) noteOddity(report, { path: kept, problem: 'was kept beside' });
  Object.assign(agreed, { workspace: current.workspace, change: current.change });
  const isStill = effectsOf(report) === effects;
  if (taken > 0 || !isStill || before !== lookedAt(agreed)) await save();
  // What was written just now is looked at once more before it counts.
  return isCalm && isStill;
}

/** What would be done, without doing it. */
export async function planPass(
  means: Pick<PassMeans, 'call' | 'folder' | 'agreed' | 'candidates' | 'allowEmpty' | 'refusedMoves'>,
): Promise<Comparison> {
  const scan = await scanFolder(means.folder, means.agreed);
  const listing = await listWorkspace(means.call);
  checkSame(means.agreed, listing);
  const work = compareBoth(means, scan, listing);
  if (!means.allowEmpty) refuseEmptied(means.folder, work);
  return work;
}

const compareBoth = (
  { agreed, candidates, refusedMoves }: Pick<PassMeans, 'agreed' | 'candidates' | 'refusedMoves'>,
  scan: Scan,
  listing: Listing,
): Comparison => {
  const stuck = new Set([...refusedMoves].filter(([, times]) => times > 1).map(([id]) => id));
  return compare(agreed, scan, listing, { candidates, stuck });
};

/** Whether anything new was learnt about files, such as how they look. */
const lookedAt = ({ pages, files }: Agreement): string =>
  JSON.stringify([
    pages.size,
    files.size,
    [...pages.values(), ...files.values()].map(({ look }) => look?.ctime),
  ]);

function checkSame(agreed: Agreement, { workspace, change }: Listing): void {
  if (agreed.workspace !== '' && agreed.workspace !== workspace)
    throw new SluiceError('conflict', 'The folder is synced with another workspace', {
      reason: 'other_workspace',
      workspace: agreed.workspace,
    });
  if (change >= agreed.change) return;
  // A home from a backup: what was agreed on since is not known to it, and must not be taken as changed there.
  agreed.pages.clear();
  agreed.files.clear();
}

const withoutDeletions = ({ pages, files }: Comparison): Comparison => ({
  pages: pages.filter(({ decision }) => decision.do !== 'trash'),
  files: files.filter(({ decision }) => decision !== 'detach'),
});

function countProgress(
  { pages, files }: Comparison,
  tell: (done: number, total: number) => void,
): () => void {
  const rests = ['nothing', 'settle', 'forget'];
  const total =
    pages.filter(({ decision }) => !rests.includes(decision.do)).length +
    files.filter(({ decision }) => !rests.includes(decision)).length;
  let done = 0;
  return () => {
    done += 1;
    tell(Math.min(done, total), total);
  };
}
