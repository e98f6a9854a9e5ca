/** Sluice is killed after a provider has shown itself for the first time and before anything of it is kept. */
import { describe, expect, it } from 'vitest';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { until } from '../../support/timing.ts';

/** Shows its tools, and then lets whoever asks for the rest wait. */
const stuck: Script = { ...BENIGN, prompts: [{ name: 'daily' }], silent: ['prompts/list'] };
const flipped: Script = { ...BENIGN, tools: [{ ...echoTool, description: 'Says something else.' }] };

describe.each(TRANSPORTS)('[UPA-04] a provider over %s that Sluice dies over', (transport) => {
  const at = providerHome(transport, BENIGN, false);
  const listings = () =>
    at
      .upstream()
      .requests()
      .filter(({ method }) => method === 'tools/list').length;

  it('is shown to nobody before it is pinned, and is pinned as it is then', async () => {
    at.upstream().become(stuck);
    const before = listings();
    const discovery = at.asOwner('provider.discover', { id: 'up' }).catch(() => 'cut off');
    await until(() => listings() > before);
    expect(await at.listed()).toEqual([]);
    expect(await at.call('echo', { text: 'x' })).toBe('unknown_tool');
    await at.server().kill('SIGKILL');
    expect(await discovery).toBe('cut off');
    at.upstream().become(flipped);
    await at.restart();
    expect(await at.listed()).toEqual([]);
    expect(await at.call('echo', { text: 'x' })).toBe('unknown_tool');
    await at.asOwner('provider.discover', { id: 'up' });
    await at.admit();
    expect((await at.inspect()).tools).toMatchObject([
      { description: 'Says something else.', admitted: true },
    ]);
    expect(await at.call('echo', { text: 'now' })).toBe('{"text":"now"}');
  });

  it.each([0, 20])('is not admitted or has its pin, killed %i ms into its first review', async (ms) => {
    await at.asOwner('provider.remove', { id: 'up', reason: 'again' });
    at.upstream().become(flipped);
    await at.asOwner('provider.register', { id: 'up', ...at.upstream().target });
    await at.asOwner('provider.discover', { id: 'up' });
    const review = at.admit().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, ms));
    await at.server().kill('SIGKILL');
    await review;
    at.upstream().become(BENIGN);
    await at.restart();
    const { state, tools } = await at.inspect();
    const admitted = state === 'READY';
    expect(tools).toMatchObject([{ admitted }]);
    expect(await at.listed()).toEqual(admitted ? ['up.echo'] : []);
    expect(await at.call('echo', { text: 'x' })).toBe(admitted ? 'DELEG_PROVIDER_DRIFTED' : 'unknown_tool');
    if (!admitted) return;
    expect((await at.inspect()).drift).toMatchObject([{ name: 'echo', fields: [{ path: 'description' }] }]);
  });
});
