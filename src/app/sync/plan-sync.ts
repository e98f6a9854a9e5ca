/** What a sync would do, in words a person decides by. Nothing is changed, not even in the side folder. */
import type { Comparison } from './compare.ts';
import { readAgreement } from './side-file.ts';
import { realFolder, type SyncMeans, type SyncWish } from './sync-folder.ts';
import { planPass } from './sync-pass.ts';

export interface PlannedStep {
  readonly path: string;
  readonly step: string;
}

export async function planSync(
  use: Pick<SyncMeans, 'withTools'>,
  wish: SyncWish,
): Promise<{ readonly steps: readonly PlannedStep[] }> {
  const folder = await realFolder(wish);
  const agreed = await readAgreement(folder);
  const means = { ...wish, folder, agreed, refusedMoves: new Map<string, number>() };
  const work = await use.withTools((call) => planPass({ ...means, call }));
  return { steps: stepsOf(work).sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function stepsOf({ pages, files }: Comparison): PlannedStep[] {
  const steps: PlannedStep[] = [];
  for (const { decision, file, page, tied } of pages) {
    const path = file?.path ?? page?.path ?? tied?.path ?? '';
    if (decision.do === 'take')
      steps.push({
        path,
        step: decision.moved ? `the page goes there from ${tied?.path}` : 'the file goes into its page',
      });
    else if (decision.do === 'write')
      steps.push({
        path,
        step:
          file && page && file.path !== page.path
            ? `the file goes to ${page.path}`
            : 'the file is written from its page',
      });
    else if (decision.do in PAGE_STEPS) steps.push({ path, step: PAGE_STEPS[decision.do] ?? '' });
  }
  for (const { decision, path } of files) {
    const step = FILE_STEPS[decision];
    if (step !== undefined) steps.push({ path, step });
  }
  return steps;
}

const PAGE_STEPS: Readonly<Record<string, string>> = {
  create: 'the file becomes a page',
  trash: 'the file is gone, its page goes to the trash',
  remove: 'the page is gone, its file is removed',
};

const FILE_STEPS: Readonly<Record<string, string>> = {
  attach: 'the file becomes an attachment',
  detach: 'the file is gone, so is the attachment',
  write: 'the file is written from the attachment',
  remove: 'the attachment is gone, so is its file',
  conflict: 'both changed; the file is kept beside',
};
