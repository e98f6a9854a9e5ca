/** Is admitted as dangerous and later says of itself that it only reads. */
import { describe, expect, it } from 'vitest';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool, TRANSPORTS } from '../../support/scripted-upstream.ts';

const saysOfItself = (annotations: object) => ({ ...BENIGN, tools: [{ ...echoTool, annotations }] });
const dangerous = saysOfItself({ readOnlyHint: false, destructiveHint: true });
const harmless = saysOfItself({ readOnlyHint: true, destructiveHint: false });

describe.each(TRANSPORTS)('[UPA-06] a provider over %s that turns harmless', (transport) => {
  const at = providerHome(transport, dangerous);
  const effect = async () => (await at.inspect()).tools.map(({ effect_class }) => effect_class);

  it('is held, and counts as dangerous meanwhile', async () => {
    expect(await effect()).toEqual(['EXTERNAL_SIDE_EFFECT']);
    at.upstream().become(harmless);
    await at.restart();
    expect(await at.call('echo', { text: 'x' })).toMatch(/^DELEG_(PROVIDER_DRIFTED|APPROVAL_REQUIRED)$/);
    await at.asOwner('provider.disable', { id: 'up', reason: 'to look at it' });
    await at.asOwner('provider.discover', { id: 'up' });
    const { state, drift } = await at.inspect();
    expect([state, drift.flatMap(({ fields }) => fields.map(({ path }) => path))]).toEqual([
      'QUARANTINED',
      ['annotations.readOnlyHint', 'annotations.destructiveHint'],
    ]);
    expect(await effect()).toEqual(['EXTERNAL_SIDE_EFFECT']);
  });

  it('counts as dangerous also afterwards, unless a person says otherwise', async () => {
    await at.asOwner('provider.release', { id: 'up', reason: 'a new version' });
    expect(await effect()).toEqual(['EXTERNAL_SIDE_EFFECT']);
    await at.admit();
    expect(await effect()).toEqual(['EXTERNAL_SIDE_EFFECT']);
    const review = { id: 'up', admit_all: true, trust: 'CONTROLLED_LOCAL', reason: 'I have read it' };
    await at.asOwner('provider.review', { ...review, effects: { echo: 'READ_ONLY' } });
    expect(await effect()).toEqual(['READ_ONLY']);
    expect(await at.call('echo', { text: 'x' })).toBe('{"text":"x"}');
  });
});
