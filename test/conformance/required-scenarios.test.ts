/** The official conformance suite against a real Sluice, in both eras at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type ConformanceServer, startConformanceServer } from './fixture/server.ts';
import { requiredScenarios, runSuite, type SuiteRun } from './run-suite.ts';

describe.each([
  ['2025-11-25', 30],
  ['2026-07-28', 37],
])('[PROTO-01] revision %s', (revision, count) => {
  let server: ConformanceServer;
  let run: SuiteRun;
  const required = requiredScenarios(revision);

  beforeAll(async () => {
    server = await startConformanceServer(temporaryFolder());
    run = await runSuite(server.url, revision);
  });
  afterAll(() => server.close());

  it(`has ${count} required scenarios`, () => {
    expect(required).toHaveLength(count);
  });

  it.each(required)('passes %s', (scenario) => {
    const { passed = 0, failed = 0 } = run.counts.get(scenario) ?? {};
    expect([passed > 0, failed], run.output).toEqual([true, 0]);
  });

  it('[PROTO-02] has no failure that is not known, and none that is known and gone', () => {
    expect(run.code, run.output).toBe(0);
  });
});
