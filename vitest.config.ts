import { defineConfig } from 'vitest/config';

const kinds = ['architecture', 'contract', 'e2e', 'conformance', 'hostile'] as const;

/** One project a kind of test, so that `npm run test:hostile` runs one folder and `npm test` runs them all. */
export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'] } },
      ...kinds.map((name) => ({
        extends: true as const,
        test: { name, include: [`test/${name}/**/*.test.ts`] },
      })),
    ],
  },
});
