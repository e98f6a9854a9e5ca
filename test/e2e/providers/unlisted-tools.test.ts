/** Tools that were shown and not admitted move about on a live connection: that is noted, and stops nobody. */
import { describe, expect, it } from 'vitest';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool, type Script } from '../../support/scripted-upstream.ts';

const other = { ...echoTool, name: 'other', description: 'Another.' };
const script: Script = { ...BENIGN, tools: [echoTool, other] };

const MOVES: Readonly<Record<string, Script>> = {
  changed: { ...script, tools: [echoTool, { ...other, description: 'Another one.' }] },
  vanished: { ...script, tools: [echoTool] },
  added: { ...script, tools: [echoTool, other, { ...other, name: 'later' }] },
};

describe('a tool that nobody may call', () => {
  const at = providerHome('http', script, false, { limits: { repin_after_ms: 0 } });
  const admit = () => at.asOwner('provider.review', { id: 'up', admit: ['echo'], reason: 'a test' });

  it.each(Object.entries(MOVES))(
    '[PROV-09] is noted on a live connection when it %s',
    async (kind, shown) => {
      at.upstream().become(script);
      await at.asOwner('provider.disable', { id: 'up', reason: 'from the start' });
      await at.asOwner('provider.discover', { id: 'up' });
      await admit();
      expect(await at.call('echo', { text: 'x' })).toBe('{"text":"x"}');
      expect((await at.inspect()).state).toBe('READY');
      at.upstream().become(shown);
      expect(await at.call('echo', { text: 'x' })).toBe('{"text":"x"}');
      const { state, reason_code, drift } = await at.inspect();
      expect([state, reason_code]).toEqual(['DEGRADED', 'unlisted_changed']);
      expect(drift).toMatchObject([{ what: 'unlisted_tool', kind }]);
      expect([await at.listed(), await at.call('echo', { text: 'y' })]).toEqual([
        ['up.echo'],
        '{"text":"y"}',
      ]);
      await admit();
      expect(await at.inspect()).toMatchObject({ state: 'READY', drift: [] });
      expect(await at.call('echo', { text: 'z' })).toBe('{"text":"z"}');
      expect((await at.inspect()).state).toBe('READY');
    },
  );

  it('[PROV-09] hides no change of one that was admitted', async () => {
    at.upstream().become({ ...script, tools: [{ ...echoTool, title: 'Echo' }] });
    expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_DRIFTED');
    expect((await at.inspect()).state).toBe('QUARANTINED');
  });
});
