/** The official suite against the server of the SDK alone: what fails behind Sluice is then not its doing. */
import { describe, expect, it } from 'vitest';
import { requiredScenarios, runSuite } from '../run-suite.ts';
import { startSdkServer } from './server.ts';

describe.each(['2025-11-25', '2026-07-28'])('[PRES-14] the server of the SDK in revision %s', (revision) => {
  it('passes every required scenario by itself', async () => {
    const server = await startSdkServer();
    const { counts, output } = await runSuite(server.url, revision);
    await server.close();
    for (const scenario of requiredScenarios(revision))
      expect(counts.get(scenario), output).toMatchObject({ passed: expect.any(Number), failed: 0 });
  });
});
