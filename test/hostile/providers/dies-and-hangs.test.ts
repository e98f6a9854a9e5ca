/** An upstream server that is restarted, forgets its sessions, stops in the middle or never greets. */
import { describe, expect, it } from 'vitest';
import { type RogueHome, rogueHome } from '../../support/rogue-home.ts';
import { TRANSPORTS, type Transport } from '../../support/scripted-upstream.ts';
import { until } from '../../support/timing.ts';
import { modernHttp, namesIn } from '../../support/wires.ts';

/** The process that answers, whoever started it. */
async function signal(at: RogueHome, transport: Transport, name: NodeJS.Signals): Promise<void> {
  if (transport === 'http') at.rogue().signal(name);
  else for (const pid of (await at.inspect()).processes) process.kill(pid, name);
}

describe.each(TRANSPORTS)('[UPD-04] over %s', (transport) => {
  const at = rogueHome(transport, { limits: { call_ms: 1_500, connect_ms: 1_500, discovery_ms: 2_000 } });
  const works = async (text: string): Promise<void> =>
    expect(await at.call('rogue.echo', { text })).toBe(JSON.stringify({ text }));

  /** Others are served while the one that hangs is still waited for. */
  async function othersMeanwhile(hangs: Promise<unknown>): Promise<void> {
    let over = false;
    const settled = hangs.finally(() => {
      over = true;
    });
    expect(await at.call('calm.echo', { text: 'x' })).toBe('{"text":"x"}');
    const names = namesIn(await modernHttp(at.server().port, at.token()).ask('tools/list'));
    expect(names).toEqual(expect.arrayContaining(['calm.echo', 'rogue.echo']));
    expect(over).toBe(false);
    await settled;
  }

  it('answers after a restart, also when the server says 400 to a session it does not know', async () => {
    await works('before');
    await signal(at, transport, 'SIGKILL');
    await at.rogue().restart();
    await works('after');
    expect(await at.inspect()).toMatchObject({ state: 'READY', stale_since: null });
  });

  it('gives up a server that stands still, serves others meanwhile, and recovers', async () => {
    await signal(at, transport, 'SIGSTOP');
    await othersMeanwhile(
      at.call('rogue.echo', { text: 'x' }).then((code) => expect(code).toBe('DELEG_PROVIDER_TIMEOUT')),
    );
    // What we run and does not even answer a ping is replaced; what others run goes on when it does.
    if (transport === 'http') at.rogue().signal('SIGCONT');
    else await until(async () => (await at.inspect()).processes.length === 0);
    await works('again');
  });

  it('stops trying a server that never greets, lists it as stale, and recovers', async () => {
    at.rogue().hangAtGreeting(true);
    await signal(at, transport, 'SIGKILL');
    await at.rogue().restart();
    await othersMeanwhile(
      at.call('rogue.echo', { text: 'x' }).then((code) => expect(code).toBe('DELEG_PROVIDER_TIMEOUT')),
    );
    let refused = await at.refusal('rogue.echo', { text: 'x' });
    while (refused.retry_after_ms === undefined) refused = await at.refusal('rogue.echo', { text: 'x' });
    expect(refused).toMatchObject({ code: 'DELEG_PROVIDER_NOT_FOUND', retry_after_ms: expect.any(Number) });
    const { providers } = await at.asOwner<{ providers: unknown[] }>('provider.list');
    expect(providers).toMatchObject([
      { id: 'calm', stale: false },
      { id: 'rogue', stale: true, state: 'READY' },
    ]);
    const { failures, stale_since } = await at.inspect();
    expect([failures >= 3, stale_since]).toEqual([true, expect.any(String)]);
    at.rogue().hangAtGreeting(false);
    await until(async () => (await at.call('rogue.echo', { text: 'z' })) === '{"text":"z"}');
    expect(await at.inspect()).toMatchObject({ failures: 0, stale_since: null });
  });
});

describe.each(TRANSPORTS)('[PROC-01] over %s', (transport) => {
  const at = rogueHome(transport, { limits: { concurrent: 1, queued: 1 } });

  it('lets few calls in at once, a few wait, and tells the rest when to come again', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => at.refusal('rogue.slow')));
    expect(answers.filter(({ code }) => code === undefined)).toHaveLength(2);
    expect(answers.find(({ code }) => code !== undefined)).toMatchObject({
      code: 'DELEG_PROVIDER_BUSY',
      retry_after_ms: 1_000,
    });
  });
});
