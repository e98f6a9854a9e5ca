/** What a sync did or would do, for people. */
import type { PlannedStep } from '../app/sync/plan-sync.ts';
import type { SyncReport } from '../app/sync/report.ts';

/** More is for --json. */
const SHOWN = 50;

export function describeSync({ taken, written, conflicts, odd, oddities, settled }: SyncReport): string {
  const shown = odd.slice(0, SHOWN).map(({ path, problem }) => `  ${path}: ${problem}`);
  return [
    `Into the workspace: ${counts(taken)}`,
    `Into the folder: ${counts(written)}`,
    ...conflicts.map(
      ({ path, kept }) => `  ${path}: changed on both sides in one place; yours is in ${kept}`,
    ),
    ...(oddities > 0 ? [`${oddities} need a look:`, ...shown] : []),
    ...(oddities > shown.length ? [`  … and ${oddities - shown.length} more; --json shows them`] : []),
    ...(settled ? [] : ['Not everything is at rest yet; what is left comes with the next sync']),
  ].join('\n');
}

const counts = (of: Readonly<Record<string, number>>): string =>
  Object.entries(of)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'nothing';

export function describePlan({ steps }: { readonly steps: readonly PlannedStep[] }): string {
  if (steps.length === 0) return 'Folder and workspace are equal';
  const shown = steps.slice(0, SHOWN).map(({ path, step }) => `  ${path}: ${step}`);
  return [
    `${steps.length} would change:`,
    ...shown,
    ...(steps.length > shown.length
      ? [`  … and ${steps.length - shown.length} more; --json shows them`]
      : []),
  ].join('\n');
}
