/** Is admitted as one that only reads and later says of itself that it destroys; whoever lets it go has seen that. */
import { describe, expect, it } from 'vitest';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool, TRANSPORTS } from '../../support/scripted-upstream.ts';

const saysOfItself = (annotations: object) => ({ ...BENIGN, tools: [{ ...echoTool, annotations }] });
const harmless = saysOfItself({ readOnlyHint: true, destructiveHint: false });
const dangerous = saysOfItself({ readOnlyHint: false, destructiveHint: true });

describe.each(TRANSPORTS)('[UPA-10] a provider over %s that turns dangerous', (transport) => {
  const at = providerHome(transport, harmless, true, { limits: { repin_after_ms: 0 } });
  const effect = async () => (await at.inspect()).tools.map(({ effect_class }) => effect_class);

  it('counts as dangerous once it is released', async () => {
    expect(await at.call('echo', { text: 'x' })).toBe('{"text":"x"}');
    at.upstream().become(dangerous);
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_DRIFTED');
    const sent = at.upstream().requests().length;
    await at.asOwner('provider.release', { id: 'up', reason: 'a new version' });
    expect(await effect()).toEqual(['EXTERNAL_SIDE_EFFECT']);
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_APPROVAL_REQUIRED');
    const calls = at.upstream().requests().slice(sent);
    expect(calls.filter(({ method }) => method === 'tools/call')).toEqual([]);
  });
});
