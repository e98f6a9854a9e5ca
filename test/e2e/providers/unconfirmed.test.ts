/** Writes of which nobody knows whether they happened: recorded as that, shown, and never sent again. */
import { describe, expect, it } from 'vitest';
import { timesCalled } from '../../support/approvals.ts';
import { type AuditFacts, auditRecords } from '../../support/audit.ts';
import { type ProviderHome, providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { refusalOf } from '../../support/wires.ts';

const tool = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } });

/** One that ends its server, one that takes for ever, and one that only reads and does too. */
const SCRIPT: Script = {
  ...BENIGN,
  tools: [echoTool, tool('crash'), tool('linger'), { ...echoTool, name: 'look' }],
  crashes: ['crash'],
  delays: { linger: 600_000, look: 600_000 },
};

const ends = async (at: ProviderHome, name: string): Promise<readonly AuditFacts[]> =>
  (await auditRecords(at.home, { tool_name: `up.${name}` })).filter(({ phase }) => phase !== 'started');

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe.each(TRANSPORTS)('a write over %s', (transport) => {
  const at = providerHome(transport, SCRIPT);

  it('[LINE-01] that its server did not live to answer is unconfirmed', async () => {
    const refused = refusalOf(await at.client().ask('tools/call', { name: 'up.crash', arguments: {} }));
    expect(refused).toMatchObject({ code: 'DELEG_OUTCOME_UNCONFIRMED', retry: 'never' });
    expect(timesCalled(at, 'crash')).toBe(1);
    expect(await ends(at, 'crash')).toMatchObject([
      { status: 'unconfirmed', error_code: 'DELEG_OUTCOME_UNCONFIRMED' },
    ]);
    const { unconfirmed } = (await at.inspect()) as unknown as { unconfirmed: AuditFacts[] };
    expect(unconfirmed).toMatchObject([{ tool: 'up.crash', by: 'caller' }]);
  });

  it('[LINE-02] that was under way when Sluice was killed is found at the next start, and not sent again', async () => {
    if (transport === 'http') await at.upstream().restart();
    const lost = ['linger', 'look'].map((name) =>
      at
        .client()
        .ask('tools/call', { name: `up.${name}`, arguments: {} })
        .catch(() => undefined),
    );
    await until(() => timesCalled(at, 'linger') + timesCalled(at, 'look') === 2);
    await at.killAndStart();
    await Promise.all(lost);
    expect(await ends(at, 'linger')).toMatchObject([
      { status: 'unconfirmed', error_code: 'DELEG_OUTCOME_UNCONFIRMED', subject_name: 'caller' },
    ]);
    expect(await ends(at, 'look')).toMatchObject([{ status: 'error', error_code: 'unavailable' }]);
    await at.restart();
    expect(await ends(at, 'linger')).toHaveLength(1);
    expect([timesCalled(at, 'linger'), timesCalled(at, 'look')]).toEqual([1, 1]);
    expect(await at.asOwner('audit.verify')).toMatchObject({ ok: true });
  });
});
