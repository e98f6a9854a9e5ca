/** The indexer of the real server, killed in the middle of its work: the next one goes on and nothing is missing. */
import { afterAll, expect, it, vi } from 'vitest';
import { onEachStore } from '../../support/each-store.ts';
import { asOwner } from '../../support/owner.ts';
import { type RunningServer, startServer } from '../../support/process.ts';
import { randomFor, soaking, times } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

vi.setConfig({ testTimeout: soaking ? 3_600_000 : 240_000 });

interface Status {
  readonly meaning: string;
  readonly pages: number;
  readonly indexed: number;
}

const THINGS = ['a harbour', 'a kitchen', 'a library', 'a volcano', 'an orchestra', 'a glacier', 'a bakery'];

onEachStore('an indexer that is killed', (under) => {
  const home = temporaryFolder();
  let server: RunningServer | undefined;
  afterAll(() => server?.kill('SIGKILL'));

  const status = (): Promise<Status> => asOwner<Status>(home, 'get_search_status');
  const search = async (query: string, mode: string): Promise<readonly { title: string }[]> =>
    (await asOwner<{ results: { title: string }[] }>(home, 'search', { query, mode, limit: 100 })).results;

  it('[SEM-07] is followed by one that goes on, without holding up a write', async () => {
    if (!under.available()) return;
    const random = randomFor('killed indexer');
    let made = 0;
    for (let round = 0; round < times(2, 12); round += 1) {
      server = await startServer(home, { env: under.environment() });
      // The first search by meaning switches the index on.
      await search('anything', 'hybrid');
      for (let i = 0; i < 9; i += 1, made += 1) {
        const thing = THINGS[made % THINGS.length];
        await asOwner(home, 'create_page', {
          title: `Page ${made}`,
          content: `${`This is about ${thing} and what happens there. `.repeat(random.between(1, 12))}`,
        });
      }
      const before = await status();
      const enough = before.indexed + random.between(1, 4);
      await expect
        .poll(async () => (await status()).indexed, { timeout: 120_000 })
        .toBeGreaterThanOrEqual(enough);
      await server.kill('SIGKILL');
    }
    server = await startServer(home, { env: under.environment() });
    await expect
      .poll(status, { timeout: 120_000 })
      .toMatchObject({ meaning: 'ready', pages: made, indexed: made });
    const found = await search('an orchestra and what happens there', 'semantic');
    const concerts = Array.from({ length: made }, (_, i) => i).filter((i) => i % THINGS.length === 4);
    expect(found.map(({ title }) => title).sort()).toEqual(
      expect.arrayContaining(concerts.map((i) => `Page ${i}`)),
    );
    await asOwner(home, 'create_page', { title: 'New one', content: 'Penguins on the ice.' });
    await expect.poll(status, { timeout: 120_000 }).toMatchObject({ meaning: 'ready', indexed: made + 1 });
    await server.stop();
  });
});
