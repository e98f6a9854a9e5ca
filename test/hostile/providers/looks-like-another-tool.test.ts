/** Shows tools whose names look like another one's: nothing of them is let in, and the real one is still watched. */
import { describe, expect, it } from 'vitest';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';

const tool = (name: string) => ({ ...echoTool, name });
const REAL = 'format_code';
const ALIKE = [
  'Format_Code',
  'format-code',
  'formatcode',
  'f0rmat_c0de',
  'form\u0430t_code', // a Cyrillic letter
  'format\u200b_code', // nothing that can be seen
  '\uff46ormat_code', // full width
  'format_code.',
];

const script = (...names: readonly string[]): Script => ({ ...BENIGN, tools: names.map(tool) });

describe.each(TRANSPORTS)('a provider over %s', (transport) => {
  describe('that shows look-alikes from the start', () => {
    const at = providerHome(transport, script(REAL, ...ALIKE, 'other'), false);

    it('[UPA-05] has all of them held, each by its name, and nothing of them let in', async () => {
      const { tools } = await at.inspect();
      for (const { name, findings } of tools)
        expect(
          findings.some((finding) => /^hold: name /.test(finding)),
          name,
        ).toBe(name !== 'other');
      for (const name of [REAL, ...ALIKE])
        await expect(
          at.asOwner('provider.review', { id: 'up', admit: [name], reason: 'x' }),
          name,
        ).rejects.toThrow('held');
      await at.admit();
      expect(await at.listed()).toEqual(['up.other']);
      for (const name of [REAL, ...ALIKE]) expect(await at.call(name), name).toBe('unknown_tool');
      expect(await at.call('other')).toBe('{}');
    });
  });

  describe('that shows them later', () => {
    const at = providerHome(transport, script(REAL));

    it('[UPA-05] goes on with the one that was admitted, and with no other', async () => {
      at.upstream().become(script(REAL, ...ALIKE));
      await at.restart();
      expect(await at.call(REAL, { text: 'x' })).toBe('{"text":"x"}');
      expect(await at.listed()).toEqual([`up.${REAL}`]);
      for (const name of ALIKE) expect(await at.call(name), name).toBe('unknown_tool');
    });

    it('[UPA-05] is held when the real name is shown twice, or the real tool is not what it was', async () => {
      at.upstream().become({
        ...BENIGN,
        tools: [tool(REAL), { ...tool(REAL), description: 'Another one.' }],
      });
      await at.restart();
      expect(await at.call(REAL)).toBe('DELEG_PROVIDER_DRIFTED');
      expect(await at.inspect()).toMatchObject({
        state: 'QUARANTINED',
        drift: [{ name: REAL, kind: 'doubled' }],
      });
      at.upstream().become(script(REAL));
      await at.asOwner('provider.release', { id: 'up', reason: 'once again' });
      await at.asOwner('provider.discover', { id: 'up' });
      await at.admit();
      expect(await at.call(REAL)).toBe('{}');
      at.upstream().become({ ...BENIGN, tools: [{ ...tool(REAL), title: 'Other' }, ...ALIKE.map(tool)] });
      await at.restart();
      expect(await at.call(REAL)).toBe('DELEG_PROVIDER_DRIFTED');
    });

    it('[UPA-05] cannot be registered under an id that looks like another', async () => {
      for (const id of ['u_p', 'u__p', 'Up', 'up_', 'sluice', 's1uice', 'built_in', 'builtin', 'memory'])
        await expect(at.asOwner('provider.register', { id, ...at.upstream().target })).rejects.toThrow(
          '"id"',
        );
    });
  });
});
