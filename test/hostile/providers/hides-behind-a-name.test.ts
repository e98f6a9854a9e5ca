/** Puts a second prompt or template of a name beside the one that was admitted, so that by name nothing has changed. */
import { describe, expect, it } from 'vitest';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';

const weekly = { name: 'weekly', description: 'For the week.' };
const daily = { name: 'daily', description: 'For the day.' };
const note = { name: 'note', uriTemplate: 'note:///{id}', description: 'A note.' };
const script: Script = { ...BENIGN, prompts: [daily, weekly], resourceTemplates: [note] };

const ATTACKS: Readonly<Record<string, readonly [Script, part: string]>> = {
  'a prompt of the same name in front': [
    { ...script, prompts: [{ ...daily, description: 'For every day.' }, daily, weekly] },
    'prompts',
  ],
  'the same prompt twice': [{ ...script, prompts: [daily, weekly, weekly] }, 'prompts'],
  'its prompts in another order': [{ ...script, prompts: [weekly, daily] }, 'prompts'],
  'a template of the same name in front': [
    { ...script, resourceTemplates: [{ ...note, uriTemplate: 'secret:///{id}' }, note] },
    'resource_templates',
  ],
  'a prompt called as what every object has': [
    { ...script, prompts: [daily, weekly, { name: 'constructor' }] },
    'prompts',
  ],
};

describe.each(TRANSPORTS)('a provider over %s that shows', (transport) => {
  const at = providerHome(transport, script, true, { limits: { repin_after_ms: 0 } });

  it.each(Object.entries(ATTACKS))('[UPA-11] %s is held, with the difference', async (_, [shown, part]) => {
    at.upstream().become(shown);
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_DRIFTED');
    const { state, drift } = await at.inspect();
    expect([state, drift.map(({ what }) => what)]).toEqual(['QUARANTINED', [part]]);
    expect(drift.flatMap(({ fields }) => fields)).not.toEqual([]);
    at.upstream().become(script);
    await at.asOwner('provider.disable', { id: 'up', reason: 'over' });
    await at.asOwner('provider.discover', { id: 'up' });
    await at.admit();
  });

  it('[UPA-11] a template twice can be admitted by nobody', async () => {
    at.upstream().become({ ...script, resourceTemplates: [note, { ...note, description: 'Another.' }] });
    await at.asOwner('provider.discover', { id: 'up' });
    const review = { id: 'up', admit_all: true, admit_resources: [note.uriTemplate], reason: 'x' };
    await expect(at.asOwner('provider.review', review)).rejects.toThrow('"admit_resources"');
  });
});
