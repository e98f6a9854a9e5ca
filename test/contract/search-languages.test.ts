/** Known items in several languages, on both stores: a page is found by any form of its words. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/index.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A text with one form of each word, and other forms to look for it by. */
const PAGES: Readonly<Record<string, { readonly text: string; readonly forms: readonly string[] }>> = {
  Stadt: {
    text: 'Die Häuser der Stadt sind alt, und das Rathaus ist nicht für alle Besucher und ihre Kinder geöffnet.',
    forms: ['Haus', 'Häusern', 'Hauses', 'Städte Häuser', 'Kind', 'Kindern', 'Rathaus'],
  },
  Ferme: {
    text: "Les chevaux de la ferme sont dans le pré, et les maisons des voisins sont près de l'eau claire.",
    forms: ['cheval', 'fermes', 'maison', 'voisin', 'Chevaux'],
  },
  Biblioteca: {
    text: 'Los libros de la biblioteca están en el estante, y las luces son para los estudiantes de la ciudad.',
    forms: ['libro', 'bibliotecas', 'luz', 'estudiante', 'estantes'],
  },
  Giardino: {
    text: 'Il gatto della vicina non è sempre in casa, e i bambini che sono nel giardino lo cercano.',
    forms: ['gatto', 'bambini', 'giardino'],
  },
  Harbour: {
    text: 'The ships of the harbour are being repaired, and the crew is waiting for the tides to turn.',
    forms: ['ship', 'harbours', 'repair', 'crews', 'tide'],
  },
};

interface Result {
  readonly title: string;
  readonly snippet: string;
  readonly marks: readonly (readonly [number, number])[];
  readonly why: readonly string[];
}

onEachStore('a search in several languages', (under) => {
  let sluice: Sluice;
  beforeAll(async () => {
    if (!under.available()) return;
    sluice = await createSluice({ home: temporaryFolder(), config: under.config() });
    for (const [title, { text }] of Object.entries(PAGES))
      await sluice.call('create_page', { title: `${title} seite`, content: `${text}\n` });
  });
  afterAll(() => sluice?.close());

  const search = async (query: string): Promise<readonly Result[]> =>
    (await sluice.call('search', { query, mode: 'text' })).results as Result[];

  it.each(Object.keys(PAGES))('[SEM-19] finds %s first by every form of its words', async (title) => {
    for (const form of PAGES[title]?.forms ?? []) {
      const [first] = await search(form);
      expect([form, first?.title]).toEqual([form, `${title} seite`]);
      expect(first?.why.join(), form).toMatch(/words/);
      expect(first?.marks.length, form).toBeGreaterThan(0);
    }
  });

  it('[SEM-19] leaves out a page by any form of its words', async () => {
    const [haus] = await search('Haus');
    expect(haus?.snippet).toContain('Häuser');
    expect(await search('Stadt -Kind')).toEqual([]);
    expect(await search('chevaux -maison')).toEqual([]);
  });

  it('[SEM-19] follows a page that changes its language', async () => {
    const made = await sluice.call('create_page', {
      title: 'Wechsel',
      content: `${PAGES.Ferme?.text} Zebras.\n`,
    });
    expect((await search('zebra')).map(({ title }) => title)).toEqual(['Wechsel']);
    await sluice.call('update_page_content', {
      page: made.id,
      content: 'Das Zebra ist nicht in der Stadt, und die Giraffen sind es auch nicht.\n',
      base_version: made.version,
    });
    expect((await search('Giraffe')).map(({ title }) => title)).toEqual(['Wechsel']);
    expect((await search('chevaux')).map(({ title }) => title)).toEqual(['Ferme seite']);
    await sluice.call('delete_page', { page: made.id });
  });
});
