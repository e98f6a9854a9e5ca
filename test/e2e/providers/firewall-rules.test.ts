/** Other rules for the firewall, put in force while providers are called. */
import { describe, expect, it } from 'vitest';
import { auditRecords } from '../../support/audit.ts';
import { providerHome } from '../../support/provider-home.ts';
import { refusalOf } from '../../support/wires.ts';

describe('[FIRE-55] rules of the owner', () => {
  const at = providerHome('stdio');
  const say = () =>
    at.client().ask('tools/call', { name: 'up.echo', arguments: { text: 'launch the rockets' } });
  const passes = async () => (await say()).result?.isError !== true;

  it('are in force at once and after a start, and are named in the record', async () => {
    expect(await passes()).toBe(true);
    const { rules } = await at.asOwner<{ rules: { phrases: object[] } }>('firewall.rules');
    await expect(at.asOwner('firewall.use_rules', { rules })).rejects.toThrow(
      'which the built-in rules have',
    );
    const rockets = { id: 'rockets', family: 'UNSAFE_ACTION', words: ['launch', '~2', 'rockets'] };
    const own = { ...rules, version: 'own-7', phrases: [...rules.phrases, rockets] };
    await at.asOwner('firewall.use_rules', { rules: own });
    expect(refusalOf(await say())).toMatchObject({ rules: ['rockets'], rules_version: 'own-7' });
    await at.restart();
    expect(refusalOf(await say())).toMatchObject({ code: 'DELEG_FIREWALL_QUARANTINED' });
    const [record] = (await auditRecords(at.home, { tool_name: 'up.echo' })).slice(-1);
    expect(record?.verdict).toBe('QUARANTINED@own-7');
    await at.asOwner('firewall.use_rules', { built_in: true });
    expect(await passes()).toBe(true);
  });
});
