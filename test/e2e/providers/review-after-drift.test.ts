/** What a person decides about a provider that changed, and what nothing else can decide. */
import { describe, expect, it } from 'vitest';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';

const saying = (description: string): Script => ({ ...BENIGN, tools: [{ ...echoTool, description }] });

describe.each(TRANSPORTS)('[FIRE-57] a provider over %s that drifted', (transport) => {
  const at = providerHome(transport, BENIGN);
  const pin = async () => (await at.inspect()).tools[0]?.pin;
  const review = (reason: string) =>
    at.asOwner('provider.review', { id: 'up', admit: ['echo'], trust: 'CONTROLLED_LOCAL', reason });
  /** A new connection sees it; the one before ended with the hold, or with its server. */
  const becomes = async (script: Script) => {
    at.upstream().become(script);
    if (transport === 'http') await at.upstream().restart();
    else for (const process_ of (await at.inspect()).processes) process.kill(process_, 'SIGKILL');
  };

  it('is let in again by a review, with a new pin, who, when and why', async () => {
    const before = await pin();
    await becomes(saying('Second.'));
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_DRIFTED');
    await review('read the second');
    const { state, moves } = await at.asOwner<{ state: string; moves: object[] }>('provider.inspect', {
      id: 'up',
    });
    expect(state).toBe('READY');
    expect(moves.slice(0, 3)).toMatchObject([
      { from: 'DISCOVERING', to: 'READY', reason_code: 'reviewed', reason: 'read the second' },
      { from: 'QUARANTINED', to: 'DISCOVERING', reason_code: 'released', actor: expect.stringMatching(/\S/) },
      { to: 'QUARANTINED', reason_code: 'drift' },
    ]);
    expect(await pin()).not.toBe(before);
    expect(await at.call('echo', { text: 'second' })).toBe('{"text":"second"}');
  });

  it('is held anew when it goes back to what was admitted once', async () => {
    await becomes(BENIGN);
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_DRIFTED');
    await becomes(saying('Second.'));
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_DRIFTED');
  });

  it('stays held while it is switched off and on, whatever it shows by then', async () => {
    await at.asOwner('provider.disable', { id: 'up', reason: 'a pause' });
    expect(await at.asOwner('provider.discover', { id: 'up' })).toMatchObject({ state: 'QUARANTINED' });
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_DRIFTED');
    await at.asOwner('provider.disable', { id: 'up', reason: 'a pause' });
    at.upstream().become({ ...BENIGN, tools: [] });
    await at.asOwner('provider.discover', { id: 'up' });
    expect(await at.inspect()).toMatchObject({ state: 'QUARANTINED' });
    await expect(review('nothing to let in')).rejects.toThrow('does not show');
    at.upstream().become(saying('Second.'));
    await at.asOwner('provider.disable', { id: 'up', reason: 'a pause' });
    await at.asOwner('provider.discover', { id: 'up' });
    await at.asOwner('provider.release', { id: 'up', reason: 'it is what it was' });
    expect(await at.call('echo', { text: 'back' })).toBe('{"text":"back"}');
  });

  it('is let in as what was looked at, not as what it became meanwhile', async () => {
    await becomes(saying('Third.'));
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_DRIFTED');
    at.upstream().become(saying('Fourth.'));
    await review('read the third');
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_DRIFTED');
    expect((await at.inspect()).drift).toMatchObject([
      { fields: [{ before: '"Third."', after: '"Fourth."' }] },
    ]);
  });

  it('that was removed and added again is admitted by nobody but a person', async () => {
    await at.asOwner('provider.remove', { id: 'up', reason: 'done' });
    await at.asOwner('provider.register', { id: 'up', ...at.upstream().target });
    await at.asOwner('provider.discover', { id: 'up' });
    expect(await at.inspect()).toMatchObject({ state: 'DISCOVERING' });
    expect(await at.call('echo', { text: 'x' })).toBe('unknown_tool');
  });
});
