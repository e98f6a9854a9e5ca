/** The official conformance suite for clients against the connections that Sluice has to its providers, in both eras. */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { knownFailures, requiredScenarios, runClientSuite, type SuiteRun } from '../run-suite.ts';

const PROGRAM = fileURLToPath(new URL('program.ts', import.meta.url));
const known = knownFailures('client');

describe.each([
  ['2025-11-25', 18],
  ['2026-07-28', 32],
])('[OAUTH-09] revision %s', (revision, count) => {
  let run: SuiteRun;
  const required = requiredScenarios(revision, 'client');

  beforeAll(async () => {
    run = await runClientSuite(PROGRAM, revision);
  });

  it(`has ${count} required scenarios`, () => {
    expect(required).toHaveLength(count);
  });

  it.each(required.filter((scenario) => !known.includes(scenario)))('passes %s', (scenario) => {
    const { passed = 0, failed = 0 } = run.counts.get(scenario) ?? {};
    expect([passed > 0, failed], run.output).toEqual([true, 0]);
  });

  it('has no failure that is not known, and none that is known and gone', () => {
    expect(run.code, run.output).toBe(0);
  });
});
