/** What a sync did, for whoever looks on. */
import type { Oddity } from '../walk-folder.ts';

export interface SyncReport {
  /** From the folder into the workspace. */
  taken: { created: number; updated: number; moved: number; removed: number };
  /** From the workspace into the folder. */
  written: { created: number; updated: number; moved: number; removed: number };
  /** Files with a text that could not be merged; it is kept beside under this name. */
  conflicts: { readonly path: string; readonly kept: string }[];
  /** What needs a look, at most so many. */
  odd: Oddity[];
  /** How many there were in all. */
  oddities: number;
  /** Whether folder and workspace are equal, as far as could be seen. */
  settled: boolean;
}

const ODDITIES_SHOWN = 1_000;

export const newReport = (): SyncReport => ({
  taken: { created: 0, updated: 0, moved: 0, removed: 0 },
  written: { created: 0, updated: 0, moved: 0, removed: 0 },
  conflicts: [],
  odd: [],
  oddities: 0,
  settled: false,
});

/** Said once, however many passes see it. */
export function noteOddity(report: SyncReport, oddity: Oddity): void {
  if (report.odd.some(({ path, problem }) => path === oddity.path && problem === oddity.problem)) return;
  report.oddities += 1;
  if (report.odd.length < ODDITIES_SHOWN) report.odd.push(oddity);
}

export function effectsOf({ taken, written, conflicts }: SyncReport): number {
  const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((a, b) => a + b, 0);
  return sum(taken) + sum(written) + conflicts.length;
}
