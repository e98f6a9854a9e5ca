/** Words that were indexed by older rules are indexed anew, beside everything else, on both stores. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { ANALYSIS, pageTokens } from '../../src/domain/workspace/search/analyze.ts';
import { ageWords } from '../support/aged-words.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
