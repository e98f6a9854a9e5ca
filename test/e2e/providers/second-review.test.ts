/** What a person decides after the first time: what is kept, what is dropped, and what is blocked. */
import { describe, expect, it } from 'vitest';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool } from '../../support/scripted-upstream.ts';

const script = {
  ...BENIGN,
  tools: [echoTool, { ...echoTool, name: 'other', description: 'Another.' }],
  prompts: [{ name: 'daily', description: 'For the day.' }],
  resourceTemplates: [{ name: 'note', uriTemplate: 'note:///{id}' }],
};

interface Reviewed {
  readonly state: string;
  readonly trust_tier: string;
  readonly dropped: unknown;
}

describe('a provider that was reviewed before', () => {
  const at = providerHome('http', script);
  const review = (further: object) =>
    at.asOwner<Reviewed>('provider.review', { id: 'up', reason: 'a test', ...further });

  it('[PROV-10] keeps its tier, and says what is no longer admitted', async () => {
    expect(await review({ admit: ['echo'] })).toMatchObject({
      trust_tier: 'CONTROLLED_LOCAL',
      dropped: { tools: ['other'], prompts: ['daily'], resources: ['note:///{id}'] },
    });
    expect((await review({ admit: ['echo'] })).dropped).toEqual({ tools: [], prompts: [], resources: [] });
  });

  it('[PROV-10] is blocked without a decision about its tools, and then neither asked nor called', async () => {
    expect(await review({ trust: 'BLOCKED' })).toMatchObject({ state: 'DISABLED', trust_tier: 'BLOCKED' });
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_BLOCKED');
    const asked = at.upstream().requests().length;
    await expect(at.asOwner('provider.enable', { id: 'up' })).rejects.toThrow('BLOCKED');
    await expect(at.asOwner('provider.discover', { id: 'up' })).rejects.toThrow('BLOCKED');
    await expect(review({ admit: ['echo'] })).rejects.toThrow('"trust"');
    expect(at.upstream().requests().length).toBe(asked);
    expect(await review({ trust: 'USER_ADDED_REVIEWED' })).toMatchObject({ state: 'DISABLED' });
    await at.asOwner('provider.enable', { id: 'up' });
    expect(await at.call('echo', { text: 'x' })).toBe('{"text":"x"}');
  });

  it('[PROV-06] is held also while it is switched off', async () => {
    await at.asOwner('provider.disable', { id: 'up', reason: 'off' });
    await at.asOwner('provider.quarantine', { id: 'up', reason: 'odd' });
    expect((await at.inspect()).state).toBe('QUARANTINED');
    await expect(review({ trust: 'CONTROLLED_LOCAL' })).rejects.toThrow('QUARANTINED');
    await at.asOwner('provider.release', { id: 'up', reason: 'looked at it' });
    expect(await at.call('echo', { text: 'x' })).toBe('{"text":"x"}');
  });

  it('[PROV-11] shows what was proven of it, check by check', async () => {
    const checks = async () =>
      (
        await at.asOwner<{ admission: { check: string; outcome: string }[] }>('provider.inspect', {
          id: 'up',
        })
      ).admission.map(({ check, outcome }) => `${check} ${outcome}`);
    expect(await checks()).toEqual([
      'target_authorisation passed',
      'credential_custody passed',
      'timeouts passed',
      'response_quarantine passed',
    ]);
    await at.asOwner('provider.disable', { id: 'up', reason: 'off' });
    await at.upstream().close();
    await at.asOwner('provider.discover', { id: 'up' });
    expect(await checks()).toEqual([
      'target_authorisation failed',
      'credential_custody not_reached',
      'timeouts not_reached',
      'response_quarantine not_reached',
    ]);
  });
});
