/** Words that were indexed by older rules are indexed anew, beside everything else, on both stores. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { createWordIndexer } from '../../src/app/word-indexer.ts';
import { createPage } from '../../src/domain/workspace/create-page.ts';
import type { Page } from '../../src/domain/workspace/page.ts';
import { revisePage } from '../../src/domain/workspace/revise-page.ts';
import { ANALYSIS, analyze, pageTokens } from '../../src/domain/workspace/search/analyze.ts';
import { trashPage } from '../../src/domain/workspace/trash-page.ts';
import { createDirectory } from '../../src/domain/workspace/workspaces.ts';
import { silentLog } from '../../src/kernel/log.ts';
import type { UnitOfWork } from '../../src/kernel/ports/unit-of-work.ts';
import { ageWords } from '../support/aged-words.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { AUTHOR, directDomain } from '../support/direct-domain.ts';
import { onEachStore } from '../support/each-store.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addWorkspace, openTestStore } from '../support/test-store.ts';

const PAGES = 60;
const text = (i: number): string =>
  `Die Häuser der Stadt sind alt und nicht für alle da: wort${i} und der Rest.\n`;

onEachStore('words of older rules', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice;
  const ids: string[] = [];
  const config = () => ({ ...under.config(), 'search.embedder': 'none' as const });
  beforeAll(async () => {
    if (!under.available()) return;
    sluice = await createSluice({ home, config: config() });
    for (let i = 0; i < PAGES; i += 1)
      ids.push(String((await sluice.call('create_page', { title: `Seite ${i}`, content: text(i) })).id));
    await sluice.close();
    await ageWords(home, under.config());
    sluice = await createSluice({ home, config: config() });
  });
  afterAll(async () => {
    if (!under.available()) return;
    await sluice.close();
    await expectConsistent(home, under.config());
  });

  const found = async (): Promise<number> =>
    ((await sluice.call('search', { query: 'Haus', mode: 'text', limit: 100 })).results as unknown[]).length;
  const words = async (): Promise<unknown> => (await sluice.call('get_search_status')).words;

  it('[SEM-20] are said to be old until they are indexed anew, while others write and throw away', async () => {
    if (!under.available()) return;
    expect([await words(), await found()]).toEqual([0, 0]);
    const again = sluice.call('reindex_search', { seconds: 30 });
    const changes = ids.slice(0, 20).map((page, i) =>
      i % 3 === 0
        ? sluice.call('delete_page', { page })
        : sluice.call('edit_page', {
            page,
            edits: [{ op: 'append', text: `Das Haus von wort${i} ist neu.` }],
          }),
    );
    await Promise.all([again, ...changes]);
    expect(await again).toMatchObject({ done: true });
    const left = PAGES - 7;
    expect([await words(), await found()]).toEqual([left, left]);
    await sluice.call('restore_page', { page: ids[0] });
    expect([await words(), await found()]).toEqual([left + 1, left + 1]);
  });

  it('[SEM-20] are all taken for old when the index is made anew', async () => {
    if (!under.available()) return;
    const step = await sluice.call('reindex_search', { seconds: 30, anew: true });
    expect(step).toMatchObject({ done: true, words: PAGES - 6 });
    expect(await found()).toBe(PAGES - 6);
  });
});

onEachStore('words that are indexed anew', (under) => {
  it('[SEM-20] give way to a change and to the trash that came between reading and landing', async () => {
    if (!under.available()) return;
    const folder = temporaryFolder();
    const test = await openTestStore(under, folder);
    const workspace = await addWorkspace(test, 'one');
    const { use, write, submission } = directDomain(test, workspace);
    const make = (title: string): Promise<Page> =>
      write(submission(AUTHOR), (ticket) =>
        createPage(use, ticket, { title, content: `${title} as it was` }),
      );
    const [changed, gone] = [await make('Changed'), await make('Gone')];
    await test.store.units.write({ workspace }, (tx) => test.store.search.outdate(tx, workspace));
    let isFirst = true;
    const meddle = async (): Promise<void> => {
      isFirst = false;
      const wish = { page: changed.id, content: 'quite another text', baseVersion: changed.version };
      await write(submission(AUTHOR), (ticket) => revisePage(use, ticket, wish));
      await write(submission(AUTHOR), (ticket) => trashPage(use, ticket, gone.id));
    };
    const units: UnitOfWork = {
      ...test.store.units,
      read: (work) => test.store.units.read(work),
      async write(scope, work) {
        if (isFirst) await meddle();
        return test.store.units.write(scope, work);
      },
    };
    const directory = await createDirectory(test.store);
    const store = { ...test.store, units };
    const indexer = createWordIndexer({ store, directory, log: silentLog, follows: false });
    const signal = new AbortController().signal;
    const step = await indexer.work(workspace, {
      anew: false,
      untilMs: 60_000,
      signal,
      onStep: () => undefined,
    });
    expect([isFirst, step]).toEqual([false, { pages: 1, indexed: 1 }]);
    await indexer.close();
    const filter = { tags: [], properties: [] };
    const terms = analyze('another was').map((token) => ({ token, weight: 1 }));
    const found = (term: (typeof terms)[number]) =>
      test.store.units.read((scope) => test.store.search.search(scope, workspace, [term], filter, 9));
    const hits = await Promise.all(terms.map(async (term) => (await found(term)).length));
    expect(hits).toEqual([1, 0]);
    const kept = await withRawDatabase(folder, under.config(), (database) =>
      database.all<{ length: number }>('select length from page_length'),
    );
    expect(kept).toHaveLength(1);
    await test.close();
  });
});

describe('the rules for words', () => {
  it('[SEM-20] have another number whenever they make other tokens of the same text', () => {
    const texts = [
      'Die Häuser der Stadt sind alt, und das Rathaus ist nicht für alle Besucher geöffnet. foo_barBaz-qux v1.2.3',
      "Les chevaux de la ferme sont dans le pré, et les maisons des voisins sont près de l'eau claire.",
      'Los libros de la biblioteca están en el estante, y las luces son para los estudiantes de la ciudad.',
      'The ships of the harbour are being repaired, and the crew’s waiting for the tides to turn: ISO-8601, C++.',
      '笔记本里的リンクと노트 โน้ตและลิงก์ ສະບາຍດີ កំណត់ត្រា မှတ်စု',
      'Заметки о кораблях, שלום לכולם, مرحبا بالعالم, Ωμέγα ﬁne ＦＵＬＬ İstanbul',
    ];
    const tokens = texts.map((body) => pageTokens({ title: body.slice(0, 20), headings: [body], body }));
    const digest = createHash('sha256').update(JSON.stringify(tokens)).digest('hex').slice(0, 16);
    // If this differs, raise ANALYSIS: pages that were indexed before would keep their old words.
    expect([ANALYSIS, digest]).toEqual([2, 'a323caf18c78b97a']);
  });
});
