/** A server that is started anew between two calls that change something: the second is made, and made once. */
import { describe, expect, it } from 'vitest';
import { timesCalled } from '../../support/approvals.ts';
import { type ProviderHome, providerHome } from '../../support/provider-home.ts';
import { BENIGN, CHANGES_HERE, TRANSPORTS, type Transport } from '../../support/scripted-upstream.ts';
import { until } from '../../support/timing.ts';
import { refusalOf } from '../../support/wires.ts';

const write = {
  name: 'write',
  description: 'Writes it down.',
  inputSchema: { type: 'object' },
  annotations: CHANGES_HERE,
};
const SCRIPT = { ...BENIGN, tools: [write], noStream: true };
/** What was read is not looked at again for as long as the test lasts. */
const SELDOM = { limits: { repin_after_ms: 60_000 } };

async function startAnew(at: ProviderHome, transport: Transport): Promise<void> {
  if (transport === 'http') return at.upstream().restart();
  for (const pid of (await at.inspect()).processes) process.kill(pid, 'SIGKILL');
  return until(async () => (await at.inspect()).processes.length === 0);
}

describe.each(TRANSPORTS)('a write over %s', (transport) => {
  const at = providerHome(transport, SCRIPT, true, SELDOM);

  it('[PROV-03] is made right after its server was started anew', async () => {
    for (const number of [1, 2, 3]) {
      expect(await at.call('write', { number })).toBe(`{"number":${number}}`);
      await startAnew(at, transport);
    }
    expect(timesCalled(at, 'write')).toBe(3);
  });
});

describe('a write to a session that its server has forgotten', () => {
  const at = providerHome('http', SCRIPT, true, SELDOM);

  it('[LINE-06] is not sent again, and the next one is made', async () => {
    const forgets = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n';
    at.upstream().become({ ...SCRIPT, bytes: { write: forgets } });
    const refused = refusalOf(await at.client().ask('tools/call', { name: 'up.write', arguments: {} }));
    expect(refused).toMatchObject({ code: 'DELEG_STREAM_TERMINAL_ERROR', retry: 'later' });
    expect(timesCalled(at, 'write')).toBe(1);
    at.upstream().become(SCRIPT);
    expect(await at.call('write', { number: 4 })).toBe('{"number":4}');
    expect(timesCalled(at, 'write')).toBe(2);
  });
});
