/** Counts a vitest run for `npm test`: every test, and every failure that belongs to no test. */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import { emptyTally, type Tally } from './tally.ts';

/** Names the file into which the run is counted. */
export const tallyFile = 'SLUICE_TEST_TALLY';

export function reporters(): ('default' | Reporter)[] {
  const path = process.env[tallyFile];
  return path ? ['default', tallyReporter(path)] : ['default'];
}

function tallyReporter(path: string): Reporter {
  return {
    onTestRunEnd(modules, strayErrors) {
      const tally = emptyTally();
      tally.failed += strayErrors.length;
      for (const module of modules) countModule(module, tally);
      writeFileSync(path, JSON.stringify(tally));
    },
  };
}

function countModule(module: TestModule, tally: Tally): void {
  // A file that does not load and hooks that throw are failures, though no test says so.
  for (const suite of [module, ...module.children.allSuites()]) {
    if (suite.errors().length > 0) tally.failed += 1;
  }
  for (const test of module.children.allTests()) countTest(test, module, tally);
}

function countTest(test: TestCase, module: TestModule, tally: Tally): void {
  const result = test.result();
  if (result.state === 'passed') tally.passed += 1;
  else if (result.state !== 'skipped') tally.failed += 1;
  else {
    const reason =
      result.note ?? (isInBrokenSuite(test) ? 'The suite of the test failed to set up' : undefined);
    if (reason !== undefined) tally.skipped[reason] = (tally.skipped[reason] ?? 0) + 1;
    else tally.unexplained.push(`${module.relativeModuleId} > ${test.fullName}`);
  }
}

function isInBrokenSuite(test: TestCase): boolean {
  for (let at: TestSuite | TestModule = test.parent; ; at = at.parent) {
    if (at.errors().length > 0) return true;
    if (at.type === 'module') return false;
  }
}
