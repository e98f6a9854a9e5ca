/** The real server, killed while facts take over from each other: what it acknowledged is there, and one of them holds. */
import { afterAll, expect, it, vi } from 'vitest';
import { onEachStore } from '../../support/each-store.ts';
import { connectHttp } from '../../support/mcp-clients.ts';
import { addClient, asOwner } from '../../support/owner.ts';
import { type RunningServer, startServer } from '../../support/process.ts';
import { randomFor, soaking, times } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

vi.setConfig({ testTimeout: soaking ? 3_600_000 : 240_000 });

const ROUNDS = times(3, 30);

interface Item {
  readonly id: string;
  readonly status: string;
  readonly superseded_by?: string;
}

onEachStore('a server killed while it remembers', (under) => {
  const home = temporaryFolder();
  let server: RunningServer | undefined;
  afterAll(() => server?.kill('SIGKILL'));

  it(`[MEM-21] keeps all it acknowledged, one of which holds, ${ROUNDS} times`, async () => {
    const random = randomFor(`kill memory on ${under.kind}`);
    const facts = new Set<string>();
    const proposed = new Set<string>();
    let number = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      server = await startServer(home, { env: under.environment() });
      const token = await addClient(home, `agent-${round}`);
      const client = await connectHttp(server.url, token, 'modern');
      const fact = () => {
        number += 1;
        return { tier: 'semantic', subject: 'Tide', body: `State ${number}` };
      };
      let killed = false;
      const writing = [
        write(
          facts,
          () => asOwner(home, 'memory_write', fact()),
          () => killed,
        ),
        write(
          proposed,
          async () => {
            const { structuredContent } = await client.callTool({ name: 'memory_write', arguments: fact() });
            return structuredContent as Record<string, unknown>;
          },
          () => killed,
        ),
      ];
      const enough = facts.size + random.between(5, 20);
      while (facts.size < enough) await new Promise((resolve) => setTimeout(resolve, 2));
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 10)));
      killed = true;
      await server.kill('SIGKILL');
      await Promise.all(writing);
      await client.close().catch(() => undefined);
      server = await startServer(home, { env: under.environment() });
      await check(facts, proposed);
      await server.stop();
    }
  });

  async function write(
    acknowledged: Set<string>,
    one: () => Promise<Record<string, unknown>>,
    ended: () => boolean,
  ): Promise<void> {
    while (!ended()) {
      try {
        const { id } = await one();
        if (typeof id === 'string') acknowledged.add(id);
      } catch (error) {
        if (!ended()) throw error;
      }
    }
  }

  /** Whatever was not answered may be there or not; what is there is whole. */
  async function check(facts: ReadonlySet<string>, proposed: ReadonlySet<string>): Promise<void> {
    const items: Item[] = [];
    let cursor: unknown;
    do {
      const answer = await asOwner(home, 'memory_search', {
        query: 'tide',
        tiers: ['semantic'],
        include_superseded: true,
        include_candidates: true,
        budget: 100_000,
        ...(cursor !== undefined && { cursor }),
      });
      items.push(...(answer.items as Item[]));
      cursor = answer.next_cursor;
    } while (cursor !== undefined);
    if (items.length < 200)
      expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([...facts, ...proposed]));
    const active = items.filter(({ status }) => status === 'active');
    expect(active).toHaveLength(1);
    const known = new Set(items.map(({ id }) => id));
    for (const item of items.filter(({ status }) => status === 'superseded'))
      if (items.length < 200) expect(known).toContain(item.superseded_by);
    for (const id of [...proposed].slice(-20))
      expect(await asOwner(home, 'read_proposal', { proposal: id })).toMatchObject({ state: 'pending' });
    expect(await asOwner(home, 'audit.verify')).toMatchObject({ ok: true });
  }
});
