/** The real server, killed in the middle of a rename that rewrites hundreds of pages: the old state or the new one, never between. */
import { afterAll, expect, it, vi } from 'vitest';
import { createSluice } from '../../../src/app/create-sluice.ts';
import { expectConsistent } from '../../support/check-consistency.ts';
import { onEachStore } from '../../support/each-store.ts';
import { growHubVault, HUBS, hubText } from '../../support/hub-vault.ts';
import { asOwner } from '../../support/owner.ts';
import { type RunningServer, startServer } from '../../support/process.ts';
import { randomFor, soaking, times } from '../../support/random.ts';
import { withRawDatabase } from '../../support/raw-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { UNLIMITED } from '../../support/unlimited.ts';

vi.setConfig({ testTimeout: soaking ? 3_600_000 : 240_000 });

const PAGES = times(300, 2_700);
const ROUNDS = times(5, 30);

onEachStore('a server killed while it renames', (under) => {
  const home = temporaryFolder();
  let server: RunningServer | undefined;
  afterAll(() => server?.kill('SIGKILL'));

  it(`[LINK-41] has renamed all ${PAGES} pages or none, ${ROUNDS} times`, async () => {
    const random = randomFor(`kill rename on ${under.kind}`);
    const sluice = await createSluice({ home, config: { ...under.config(), ...UNLIMITED } });
    await growHubVault((tool, input) => sluice.call(tool, input), PAGES);
    const { id } = await sluice.call('read_page', { page: HUBS[0] });
    await sluice.close();
    let [title, lastsMs] = [HUBS[0] ?? '', 0];
    for (let round = 0; round < ROUNDS; round += 1) {
      server = await startServer(home, { env: under.environment() });
      const wanted = `Round ${round}`;
      let answered = false;
      const begun = performance.now();
      const renaming = asOwner(home, 'rename_page', { page: String(id), title: wanted }).then(
        () => {
          answered = true;
        },
        // The connection broke under it; whether it landed is what is looked at.
        () => undefined,
      );
      // The first one to its end, so that later blows fall into the time it takes.
      if (round === 0) await renaming;
      else await new Promise((resolve) => setTimeout(resolve, random.between(0, lastsMs)));
      if (round === 0) lastsMs = performance.now() - begun;
      await server.kill('SIGKILL');
      await renaming;
      title = await titleNow(String(id), answered ? [wanted] : [title, wanted]);
      await expectConsistent(home, under.config());
    }
  });

  /** The page's title, which is one of these, and which every link says. */
  async function titleNow(id: string, possible: readonly string[]): Promise<string> {
    return withRawDatabase(home, under.config(), async (database) => {
      const rows = await database.all<{ id: string; title: string; content: string }>('select * from page');
      const title = rows.find((row) => row.id === id)?.title ?? '';
      expect(possible).toContain(title);
      const texts = new Map(rows.map((row) => [row.title, row.content]));
      for (let n = 0; n < PAGES; n += 1)
        expect(texts.get(`Page ${n}`)).toBe(
          hubText(n).replaceAll(/(?<!`)\[\[Buy me a coffee/g, `[[${title}`),
        );
      return title;
    });
  }
});
