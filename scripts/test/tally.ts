/** The count of a run, and why tests were skipped. */

export interface Tally {
  passed: number;
  failed: number;
  /** How many tests were skipped, by reason. */
  skipped: Record<string, number>;
  /** Skipped tests that give no reason; each is a failure. */
  unexplained: string[];
}

export const emptyTally = (): Tally => ({ passed: 0, failed: 0, skipped: {}, unexplained: [] });

export function addTallies(tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const { passed, failed, skipped, unexplained } of tallies) {
    sum.passed += passed;
    sum.failed += failed;
    sum.unexplained.push(...unexplained);
    for (const [reason, count] of Object.entries(skipped)) {
      sum.skipped[reason] = (sum.skipped[reason] ?? 0) + count;
    }
  }
  return sum;
}

/** The last lines of a run; the very last has a fixed form, for whoever reads it by machine. */
export function renderTally(tally: Tally): string {
  const lines: string[] = [];
  const reasons = Object.entries(tally.skipped);
  if (reasons.length > 0) {
    lines.push('', '!! SKIPPED', ...reasons.map(([reason, count]) => `!! ${count} × ${reason}`));
  }
  if (tally.unexplained.length > 0) {
    lines.push('', '!! SKIPPED WITHOUT A REASON, counted as failed (use skipUnless of test/support/skip.ts)');
    lines.push(...tally.unexplained.map((name) => `!! ${name}`));
  }
  const skipped = reasons.reduce((sum, [, count]) => sum + count, 0);
  lines.push(
    '',
    `${tally.passed} passed, ${tally.failed + tally.unexplained.length} failed, ${skipped} skipped`,
  );
  return lines.join('\n');
}

/** A run that ran nothing has shown nothing. */
export function isGreen(tally: Tally): boolean {
  return tally.failed === 0 && tally.unexplained.length === 0 && tally.passed > 0;
}
