/** A provider that is called while its owner has it discovered, and one whose discovery was never ended. */
import { describe, expect, it } from 'vitest';
import { timesCalled } from '../../support/approvals.ts';
import { type ProviderHome, providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { until } from '../../support/timing.ts';

const write = { name: 'write', description: 'Writes it down.', inputSchema: { type: 'object' } };
const SCRIPT: Script = { ...BENIGN, tools: [echoTool, write], delays: { write: 3_000 } };

const heard = (at: ProviderHome, method: string): number =>
  at
    .upstream()
    .requests()
    .filter((request) => request.method === method).length;

const movesOf = async (at: ProviderHome): Promise<readonly { from: string; to: string }[]> =>
  ((await at.inspect()) as unknown as { moves: { from: string; to: string }[] }).moves;

describe.each(TRANSPORTS)('a provider over %s that is discovered', (transport) => {
  const at = providerHome(transport, SCRIPT, true, { limits: { connect_ms: 5_000 } });

  it('[PROV-30] is called meanwhile, and what is under way ends well', async () => {
    const writing = at.call('write', { text: 'x' });
    await until(() => timesCalled(at, 'write') === 1);
    const before = heard(at, 'tools/list');
    const discovering = at.asOwner('provider.discover', { id: 'up' });
    await until(() => heard(at, 'tools/list') > before);
    expect(await at.call('echo', { text: 'meanwhile' })).toBe('{"text":"meanwhile"}');
    expect(await discovering).toMatchObject({ state: 'READY' });
    expect(await at.listed()).toEqual(['up.echo', 'up.write']);
    expect(await writing).toBe('{"text":"x"}');
    expect((await movesOf(at)).filter(({ to }) => to === 'DISCOVERING')).toMatchObject([
      { from: 'DISCOVERING' },
      { from: 'REGISTERED' },
    ]);
  });

  it('[PROV-30] stays callable when it cannot be discovered, and says why', async () => {
    at.upstream().become({ ...SCRIPT, silent: ['initialize'] });
    const failed = await at.asOwner('provider.discover', { id: 'up' });
    expect(failed).toMatchObject({ state: 'DEGRADED', reason_code: 'discovery_failed' });
    expect(await at.call('echo', { text: 'still' })).toBe('{"text":"still"}');
    at.upstream().become(SCRIPT);
    expect(await at.asOwner('provider.discover', { id: 'up' })).toMatchObject({ state: 'READY' });
  });

  it('[PROV-31] is what it was before when Sluice was killed meanwhile', async () => {
    await at.asOwner('provider.disable', { id: 'up', reason: 'a pause' });
    at.upstream().become({ ...SCRIPT, silent: ['initialize'] });
    const before = heard(at, 'initialize');
    const lost = at.asOwner('provider.discover', { id: 'up' }).catch(() => undefined);
    await until(() => heard(at, 'initialize') > before);
    expect(await at.inspect()).toMatchObject({ state: 'DISCOVERING' });
    expect(await at.listed()).toEqual([]);
    await at.killAndStart();
    await lost;
    expect(await at.inspect()).toMatchObject({ state: 'DISABLED' });
    at.upstream().become(SCRIPT);
    expect(await at.asOwner('provider.enable', { id: 'up' })).toMatchObject({ state: 'READY' });
  });
});
