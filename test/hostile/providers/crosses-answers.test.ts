/** Two clients that use the same request ids at the same time, before one upstream server that answers in any order. */
import { describe, expect, it } from 'vitest';
import { addClient } from '../../support/owner.ts';
import { times } from '../../support/random.ts';
import { rogueHome } from '../../support/rogue-home.ts';
import { TRANSPORTS } from '../../support/scripted-upstream.ts';
import { legacyHttp, modernHttp, type Wire } from '../../support/wires.ts';

const CALLS = times(300, 10_000);
const AT_ONCE = 6;

describe.each(TRANSPORTS)('[UPD-03] over %s', (transport) => {
  const at = rogueHome(transport, { limits: { concurrent: 64, queued: 256 } });

  /** Asks as one client, with ids from 1 on, and counts what was not meant for it. */
  async function crossed(who: string, wire: Wire): Promise<number> {
    let [next, wrong] = [0, 0];
    const lane = async (): Promise<void> => {
      while (next < CALLS) {
        next += 1;
        const input = { who, number: next };
        const message = await wire.ask('tools/call', { name: 'rogue.shuffle', arguments: input });
        const [first] = (message.result?.content ?? []) as { readonly text?: string }[];
        if (first?.text !== JSON.stringify(input)) wrong += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return wrong;
  }

  it('gives everybody the answers to their own calls', { timeout: 600_000 }, async () => {
    const { port } = at.server();
    const [one, two] = [await addClient(at.home, 'one'), await addClient(at.home, 'two')];
    const wires = [modernHttp(port, one), modernHttp(port, two), await legacyHttp(port, two)];
    expect(await Promise.all(wires.map((wire, i) => crossed(`caller ${i}`, wire)))).toEqual([0, 0, 0]);
  });
});
