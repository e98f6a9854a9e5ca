/** The official suite against a server of the SDK that is reached through Sluice as its provider, in both eras. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startBehindSluice } from './behind-sluice.ts';
import type { ConformanceServer } from './fixture/server.ts';
import { requiredScenarios, runSuite, type SuiteRun } from './run-suite.ts';

const KNOWN = fileURLToPath(new URL('behind-sluice.yaml', import.meta.url));
const known: readonly string[] = parse(readFileSync(KNOWN, 'utf8')).server;

describe.each([
  ['2025-11-25', 'both'],
  ['2026-07-28', 'both'],
  ['2025-11-25', 'program'],
  ['2026-07-28', 'program'],
  ['2025-11-25', 'older'],
] as const)('[PRES-10] revision %s through Sluice to a server: %s', (revision, behind) => {
  let server: ConformanceServer;
  let run: SuiteRun;
  const whole = requiredScenarios(revision).filter(
    (scenario) => !known.some((entry) => entry.split(':')[0] === scenario),
  );

  beforeAll(async () => {
    server = await startBehindSluice(temporaryFolder(), behind);
    run = await runSuite(server.url, revision, KNOWN);
  });
  afterAll(() => server?.close());

  it.each(whole)('passes %s', (scenario) => {
    const { passed = 0, failed = 0 } = run.counts.get(scenario) ?? {};
    expect([passed > 0, failed], run.output).toEqual([true, 0]);
  });

  it('has no failure that is not known, and none that is known and gone', () => {
    expect(run.code, run.output).toBe(0);
  });
});
