import { defineConfig } from 'vitest/config';
import { reporters } from './scripts/test/tally-reporter.ts';

const kinds = ['architecture', 'contract', 'e2e', 'conformance', 'hostile'] as const;

/** The official suite waits half a second for some answers: beside other work that is too short to mean anything. */
const ALONE = { maxWorkers: 1, sequence: { groupOrder: 1 } };

/** One project a kind of test, so that `npm run test:hostile` runs one folder and `npm test` runs them all. */
export default defineConfig({
  test: {
    // What is waited for comes; how soon is the machine's affair.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: '100%',
    // Stories start twenty programs one after the other; this is for what hangs, not for what is slow.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    globalSetup: ['test/support/global-setup.ts'],
    reporters: reporters(),
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'] } },
      ...kinds.map((name) => ({
        extends: true as const,
        test: { name, include: [`test/${name}/**/*.test.ts`], ...(name === 'conformance' && ALONE) },
      })),
    ],
  },
});
