/** Calls that take longer than a provider has to answer: they are waited for as long as it comes further, and no longer. */
import { describe, expect, it } from 'vitest';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';

const CALL_MS = 2_000;
const steps = (count: number, at: (step: number) => number) => ({
  everyMs: CALL_MS / 10,
  values: Array.from({ length: count }, (_, step) => at(step)),
});

const SCRIPT: Script = {
  ...BENIGN,
  tools: ['going_on', 'standing_still'].map((name) => ({ ...echoTool, name })),
  steps: {
    going_on: steps(20, (step) => step),
    standing_still: steps(20, () => 1),
  },
};

describe.each(TRANSPORTS)('[PROV-33] a call over %s', (transport) => {
  const at = providerHome(transport, SCRIPT, true, { limits: { call_ms: CALL_MS } });

  it('is waited for while it comes further', async () => {
    expect(await at.call('going_on', { text: 'done' })).toBe('{"text":"done"}');
  });

  it('is given up when it only says the same again', async () => {
    expect(await at.call('standing_still')).toBe('DELEG_PROVIDER_TIMEOUT');
  });
});
