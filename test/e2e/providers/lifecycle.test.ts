/** A provider from its registration to its end, over both transports and in both eras. */
import { describe, expect, it } from 'vitest';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { refusalOf } from '../../support/wires.ts';

const eras = [false, true].map((modern) => ({
  era: modern ? 'newer' : 'older',
  script: { ...BENIGN, modern },
}));
const kinds = TRANSPORTS.flatMap((transport) => eras.map((era) => ({ transport, ...era })));

describe.each(kinds)('a provider over $transport that speaks the $era protocol', ({ transport, script }) => {
  const at = providerHome(transport, script, false);

  it('[PROV-01] is seen by nobody before somebody has admitted something of it', async () => {
    expect(await at.inspect()).toMatchObject({ state: 'DISCOVERING', reason_code: 'discovered' });
    expect(await at.listed()).toEqual([]);
    expect(await at.call('echo', { text: 'x' })).toBe('unknown_tool');
  });

  it('[PROV-02] is called as it was admitted, and what it says passes', async () => {
    await at.admit();
    expect(await at.listed()).toEqual(['up.echo']);
    expect(await at.call('echo', { text: 'hello' })).toBe('{"text":"hello"}');
  });

  it.each([5, 'a\0b'])('[PROV-12] is not called with arguments that do not fit (%j)', async (text) => {
    const refused = refusalOf(await at.client().ask('tools/call', { name: 'up.echo', arguments: { text } }));
    expect(refused).toMatchObject({ code: 'DELEG_REQUEST_SCHEMA_INVALID', provider: 'up', field: 'text' });
    expect(refused.message).toMatch(/^DELEG_REQUEST_SCHEMA_INVALID: "text" must /);
  });

  it('[PROV-12] is not called for an effect that no policy covers', async () => {
    const review = { id: 'up', admit: ['echo'], trust: 'CONTROLLED_LOCAL', reason: 'a test' };
    await at.asOwner('provider.review', { ...review, effects: { echo: 'UNSUPPORTED_EFFECT' } });
    const asked = { name: 'up.echo', arguments: { text: 'x' } };
    const refused = refusalOf(await at.client().ask('tools/call', asked));
    expect(refused).toMatchObject({ code: 'DELEG_CAPABILITY_NOT_ALLOWED', provider: 'up' });
    expect(refused.message).toMatch(/^DELEG_CAPABILITY_NOT_ALLOWED: /);
    await at.asOwner('provider.review', { ...review, effects: { echo: 'READ_ONLY' } });
  });

  it('[PROV-03] works again after it or Sluice was started anew', async () => {
    if (transport === 'http') await at.upstream().restart();
    expect(await at.call('echo', { text: 'again' })).toBe('{"text":"again"}');
    await at.restart();
    expect(await at.listed()).toEqual(['up.echo']);
    expect(await at.call('echo', { text: 'after' })).toBe('{"text":"after"}');
  });

  it('[PROV-04] is held with a difference to look at as soon as it shows something else', async () => {
    at.upstream().become({ ...script, tools: [{ ...echoTool, description: 'Says something else.' }] });
    await at.restart();
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_DRIFTED');
    expect(await at.listed()).toEqual([]);
    const { state, reason_code, drift } = await at.inspect();
    expect([state, reason_code]).toEqual(['QUARANTINED', 'drift']);
    expect(drift).toMatchObject([
      { what: 'tool', name: 'echo', kind: 'changed', fields: [{ path: 'description' }] },
    ]);
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_DRIFTED');
  });

  it('[PROV-05] goes on only when a person releases it', async () => {
    await expect(at.asOwner('provider.discover', { id: 'up' })).rejects.toThrow('QUARANTINED');
    await at.asOwner('provider.release', { id: 'up', reason: 'looked at it' });
    expect(await at.inspect()).toMatchObject({ state: 'READY' });
    expect(await at.call('echo', { text: 'free' })).toBe('{"text":"free"}');
  });

  it('[PROV-06] can be switched off and on again, and removed', async () => {
    await at.asOwner('provider.disable', { id: 'up', reason: 'a note of mine' });
    const refused = await at.client().ask('tools/call', { name: 'up.echo', arguments: { text: 'x' } });
    // Callers are told by which code, and not what its owner wrote down.
    expect(refusalOf(refused)).toMatchObject({ code: 'DELEG_PROVIDER_BLOCKED', reason_code: 'operator' });
    expect(JSON.stringify(refused)).not.toContain('a note of mine');
    // It is given the time to end by itself.
    await expect.poll(async () => (await at.inspect()).processes).toEqual([]);
    await at.asOwner('provider.discover', { id: 'up' });
    expect(await at.inspect()).toMatchObject({ state: 'READY', reason_code: 'recovered' });
    expect(await at.call('echo', { text: 'on' })).toBe('{"text":"on"}');
    await at.asOwner('provider.remove', { id: 'up', reason: 'done' });
    expect(await at.call('echo', { text: 'x' })).toBe('unknown_tool');
    await expect(at.inspect()).rejects.toThrow('no provider');
  });
});
