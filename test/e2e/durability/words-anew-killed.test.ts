/** After an upgrade the real server indexes words anew by itself; killed on the way, the next one goes on. */
import { afterAll, expect, it, vi } from 'vitest';
import { createSluice } from '../../../src/app/create-sluice.ts';
import { ageWords } from '../../support/aged-words.ts';
import { expectConsistent } from '../../support/check-consistency.ts';
import { onEachStore } from '../../support/each-store.ts';
import { asOwner } from '../../support/owner.ts';
import { type RunningServer, startServer } from '../../support/process.ts';
import { randomFor, soaking, times } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

vi.setConfig({ testTimeout: soaking ? 3_600_000 : 240_000 });

const PAGES = times(150, 1_500);

onEachStore('a server after an upgrade', (under) => {
  const home = temporaryFolder();
  let server: RunningServer | undefined;
  afterAll(() => server?.kill('SIGKILL'));
  const environment = () => ({ ...under.environment(), SLUICE_EMBEDDER: 'none' });

  it('[SEM-21] answers and writes at once and indexes words anew behind that, also after kill -9', async () => {
    if (!under.available()) return;
    const random = randomFor(`words anew ${under.kind}`);
    const sluice = await createSluice({ home, config: { ...under.config(), 'search.embedder': 'none' } });
    const body = 'Die Häuser der Stadt sind alt und nicht für alle da, und der Rest ist das auch. '.repeat(
      40,
    );
    const file = (i: number) => ({ path: `Seite ${i}.md`, text: body });
    for (let i = 0; i < PAGES; i += 50)
      await sluice.call('import_pages', { files: Array.from({ length: 50 }, (_, n) => file(i + n)) });
    await sluice.close();
    for (let round = 0; round < times(1, 8); round += 1) {
      await ageWords(home, under.config());
      for (let kills = 0; kills < 2; kills += 1) {
        server = await startServer(home, { env: environment() });
        // It begins a second after its start.
        await new Promise((done) => setTimeout(done, 900 + random.between(0, 800)));
        await server.kill('SIGKILL');
      }
      server = await startServer(home, { env: environment() });
      await asOwner(home, 'create_page', { title: `Neu ${round}`, content: body });
      const made = PAGES + round + 1;
      await expect
        .poll(() => asOwner(home, 'get_search_status'), { timeout: 120_000 })
        .toMatchObject({ embedder: null, pages: made, words: made });
      const { results } = await asOwner<{ results: unknown[] }>(home, 'search', {
        query: 'Haus',
        limit: 100,
      });
      expect(results).toHaveLength(100);
      await server.stop();
    }
    await expectConsistent(home, under.config());
  });
});
