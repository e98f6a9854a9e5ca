/** Writes of which nobody knows whether they happened: recorded as that, shown, and never sent again. */
import { describe, expect, it } from 'vitest';
import { timesCalled } from '../../support/approvals.ts';
import { type AuditFacts, auditRecords } from '../../support/audit.ts';
import { modernRequest } from '../../support/mcp-clients.ts';
import { type ProviderHome, providerHome } from '../../support/provider-home.ts';
import { BENIGN, CHANGES_HERE, echoTool, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { refusalOf } from '../../support/wires.ts';

const tool = (name: string) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  annotations: CHANGES_HERE,
});

/** One that ends its server, one that takes for ever, and one that only reads and does too. */
const SCRIPT: Script = {
  ...BENIGN,
  tools: [echoTool, tool('crash'), tool('linger'), { ...echoTool, name: 'look' }],
  crashes: ['crash'],
  delays: { linger: 600_000, look: 600_000 },
};

const ends = async (at: ProviderHome, name: string): Promise<readonly AuditFacts[]> =>
  (await auditRecords(at.home, { tool_name: `up.${name}` })).filter(({ phase }) => phase !== 'started');

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
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

  it('[LINE-04] that its caller gave up is unconfirmed as well, and a read is not', async () => {
    if (transport === 'http') await at.upstream().restart();
    for (const name of ['linger', 'look']) {
      const before = timesCalled(at, name);
      const { body, headers } = modernRequest('tools/call', {
        name: `up.${name}`,
        arguments: { given: 'up' },
      });
      const gone = new AbortController();
      const lost = fetch(at.server().url, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${at.token()}` },
        body: JSON.stringify(body),
        signal: gone.signal,
      }).catch(() => undefined);
      await until(() => timesCalled(at, name) > before);
      gone.abort();
      await lost;
      await until(async () => (await ends(at, name)).length > 0);
    }
    expect(await ends(at, 'linger')).toMatchObject([
      { status: 'unconfirmed', error_code: 'DELEG_OUTCOME_UNCONFIRMED' },
    ]);
    expect(await ends(at, 'look')).toMatchObject([{ status: 'error', error_code: 'cancelled' }]);
  });

  it('[LINE-02] that was under way when Sluice was killed is found at the next start, and not sent again', async () => {
    if (transport === 'http') await at.upstream().restart();
    const before = timesCalled(at, 'linger') + timesCalled(at, 'look');
    const lost = ['linger', 'look'].map((name) =>
      at
        .client()
        .ask('tools/call', { name: `up.${name}`, arguments: {} })
        .catch(() => undefined),
    );
    await until(() => timesCalled(at, 'linger') + timesCalled(at, 'look') === before + 2);
    await at.killAndStart();
    await Promise.all(lost);
    const [lingered, looked] = [await ends(at, 'linger'), await ends(at, 'look')];
    expect(lingered.at(-1)).toMatchObject({
      status: 'unconfirmed',
      error_code: 'DELEG_OUTCOME_UNCONFIRMED',
      subject_name: 'caller',
    });
    expect(looked.at(-1)).toMatchObject({ status: 'error', error_code: 'unavailable' });
    expect([lingered.length, looked.length]).toEqual([2, 2]);
    await at.restart();
    expect(await ends(at, 'linger')).toHaveLength(2);
    expect(timesCalled(at, 'linger') + timesCalled(at, 'look')).toBe(before + 2);
    expect(await at.asOwner('audit.verify')).toMatchObject({ ok: true });
  });
});
