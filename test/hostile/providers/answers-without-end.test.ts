/** An upstream server that answers too much, too slowly, too deep, packed, or for somebody else. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rogueHome } from '../../support/rogue-home.ts';
import { TRANSPORTS } from '../../support/scripted-upstream.ts';
import { until } from '../../support/timing.ts';

/** Far above what Sluice needs, far below what one of these answers would take. */
const MOST_RESIDENT_KB = 700 * 1024;

const [TOO_LARGE, TOO_LATE] = ['DELEG_FIREWALL_SCHEMA_INVALID', 'DELEG_PROVIDER_TIMEOUT'];
const NO_ANSWER = 'DELEG_PROVIDER_DRIFTED';

describe.each(TRANSPORTS)('[UPB-06] over %s', (transport) => {
  const at = rogueHome(transport, { limits: { call_ms: 4_000 } });
  const calmStill = async (): Promise<void> =>
    expect(await at.call('calm.echo', { text: 'x' })).toBe('{"text":"x"}');
  const rogueStill = async (): Promise<void> =>
    expect(await at.call('rogue.echo', { text: 'y' })).toBe('{"text":"y"}');

  // Which bound is met first, of size or of time, depends on how quick the machine is.
  it.each([
    { what: 'an answer that is too large', tool: 'oversize', codes: [TOO_LARGE] },
    { what: 'a stream without an end', tool: 'endless', codes: [TOO_LARGE, TOO_LATE] },
    { what: 'one byte after the other', tool: 'drip', codes: [TOO_LATE] },
    { what: 'an answer that is too deep', tool: 'deep', codes: [TOO_LARGE] },
    { what: 'an answer that unpacks to more', tool: 'gzip', codes: [NO_ANSWER, TOO_LATE] },
  ])('refuses $what, and goes on', async ({ tool, codes }) => {
    expect(codes).toContain(await at.call(`rogue.${tool}`));
    await calmStill();
    await rogueStill();
  });

  it('tells the upstream server that nobody waits any more', async () => {
    const before = at.rogue().notes().length;
    expect(await at.call('rogue.drip')).toBe('DELEG_PROVIDER_TIMEOUT');
    await until(() => at.rogue().notes().length > before);
    expect(at.rogue().notes().at(-1)).toBe('cancelled');
  });

  it('gives nobody an answer that was made for another request, asked already or not yet', async () => {
    const beside = Array.from({ length: 4 }, (_, i) => at.call('rogue.shuffle', { i }));
    if (transport === 'http') {
      // Every request has a stream of its own there, so not even those under way can be answered by another's.
      expect(await at.call('rogue.others')).toBe('mine');
      expect(await Promise.all(beside)).toEqual([0, 1, 2, 3].map((i) => JSON.stringify({ i })));
    }
    await Promise.all(beside);
    expect(await at.call('rogue.others')).toBe('mine');
    for (const text of ['a', 'b', 'c'])
      expect(await at.call('rogue.echo', { text })).toBe(JSON.stringify({ text }));
  });

  it('needs no more memory for all of that than before', () => {
    const status = readFileSync(`/proc/${at.server().process.pid}/status`, 'utf8');
    expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(MOST_RESIDENT_KB);
  });
});
