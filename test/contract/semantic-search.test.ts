/** Search by meaning through the whole pipeline, with the real embedder, on both stores. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/index.ts';
import { errorRow } from '../../src/kernel/errors.ts';
import { onEachStore } from '../support/each-store.ts';
import { randomFor, times } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Answer {
  readonly results: readonly {
    readonly title: string;
    readonly why: readonly string[];
    readonly snippet: string;
    readonly heading_path?: readonly string[];
    readonly block?: string;
  }[];
  readonly mode: string;
  readonly meaning: string;
  readonly truncated: boolean;
}

onEachStore('search by meaning', (under) => {
  let sluice: Sluice;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    if (!under.available()) return;
    sluice = await createSluice({ home: temporaryFolder(), config: under.config() });
  });
  afterAll(() => sluice?.close());

  const create = async (
    title: string,
    content: string,
    more: Record<string, unknown> = {},
  ): Promise<void> => {
    ids.set(title, (await sluice.call('create_page', { title, content, ...more })).id as string);
  };
  const search = async (query: string, more: Record<string, unknown> = {}): Promise<Answer> =>
    (await sluice.call('search', { query, ...more })) as unknown as Answer;
  const titles = async (query: string, more: Record<string, unknown> = {}): Promise<string[]> =>
    (await search(query, more)).results.map(({ title }) => title);
  const index = (): Promise<Record<string, unknown>> => sluice.call('reindex_search', {});

  describe('[SEM-11] before anything is indexed', () => {
    it('goes by words and says so', async () => {
      await create(
        'Cat care',
        '# Feeding\n\nKittens need small meals.\n\n# Health\n\nA veterinarian looks at the animal each year.\n',
      );
      await create('Boats', 'The harbour has a new pier for sailing vessels.', { tags: ['sea'] });
      await create('Taxes', 'Forms are due in April; keep every receipt.');
      expect(await search('kittens')).toMatchObject({ mode: 'text', meaning: 'waiting', truncated: false });
      expect(await sluice.call('get_search_status')).toMatchObject({
        meaning: 'waiting',
        pages: 3,
        indexed: 0,
      });
      // A refusal that a model sees and can act on, not a fault of the server.
      await expect(search('kittens', { mode: 'semantic' })).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'waiting' },
      });
      expect(errorRow('conflict')).toMatchObject({ mcp: 'result', retry: 'changed' });
    });

    it('is told to index, with progress', async () => {
      const steps: unknown[] = [];
      const done = await sluice.call('reindex_search', {}, { onProgress: (step) => steps.push(step) });
      expect(done).toEqual({ pages: 3, words: 3, indexed: 3, done: true });
      expect(steps.at(0)).toEqual({ progress: 3, total: 6 });
      expect(steps.at(-1)).toEqual({ progress: 6, total: 6 });
      expect(await sluice.call('get_search_status')).toMatchObject({
        meaning: 'ready',
        pages: 3,
        indexed: 3,
      });
    });
  });

  describe('[SEM-10] what is found by meaning', () => {
    it('has none of the words and says why it is there, and where', async () => {
      const { results, mode } = await search('doctor for pets');
      expect(mode).toBe('hybrid');
      expect(results[0]).toMatchObject({ title: 'Cat care', why: ['meaning'] });
      expect(await titles('ship moorings', { mode: 'semantic' })).toEqual(['Boats']);
      expect(await titles('ship moorings', { mode: 'text' })).toEqual([]);
    });

    it('is shown by the passage that is near, its heading and its block', async () => {
      const far = 'Forms are due in April; keep every receipt of the year. '.repeat(60);
      await create('Log', `# Money\n\n${far}\n\n# Port\n\nSailing vessels tie up at the new pier.\n`);
      await index();
      const { results } = await search('ship moorings', { mode: 'semantic' });
      const hit = results.find(({ title }) => title === 'Log');
      expect(hit).toMatchObject({ why: ['meaning'], heading_path: ['Port'] });
      const place = { page: ids.get('Log'), block: hit?.block };
      expect(String((await sluice.call('read_block', place)).content)).toMatch(/Port|vessels/);
      await sluice.call('delete_page', { page: ids.get('Log') });
      await index();
    });

    it('is nothing where nothing is near', async () => {
      expect(await titles('quantum chromodynamics lattice')).toEqual([]);
      await create('FAQ', '');
      await index();
      expect(await titles('xqzvw')).toEqual([]);
      await sluice.call('delete_page', { page: ids.get('FAQ') });
      await index();
    });

    it('is no reason to be there for a page that only has a word', async () => {
      const { results, mode } = await search('receipt chromodynamics lattice');
      expect(mode).toBe('hybrid');
      expect(results.map(({ title, why }) => [title, why])).toEqual([['Taxes', ['words: receipt']]]);
    });

    it('is left to words where the model cannot read', async () => {
      for (const mode of ['hybrid', 'semantic'])
        expect(await search('笔记', { mode })).toMatchObject({ results: [], mode: 'text', meaning: 'ready' });
    });

    it('comes behind what a misspelled word was read as, where no page has it as written', async () => {
      await create('Meadow', 'Plants, soil and clean air: nature as it was.');
      await create('Setup', 'Three variables of the shell environment name the compiler and its cache.');
      await index();
      const found = (await search('enviroment')).results;
      expect(found[0]).toMatchObject({ title: 'Setup' });
      expect(found[0]?.why[0]).toBe('fuzzy: "enviroment" read as "environ"');
      expect(found.find(({ title }) => title === 'Meadow')?.why).toEqual(['meaning']);
      for (const title of ['Meadow', 'Setup']) await sluice.call('delete_page', { page: ids.get(title) });
    });

    it('is said as well of a page that a misspelled word leads to', async () => {
      const { results } = await search('veterinarain');
      expect(results.map(({ title, why }) => [title, why])).toEqual([
        ['Cat care', ['fuzzy: "veterinarain" read as "veterinarian"', 'meaning']],
      ]);
    });

    it('keeps to filters', async () => {
      expect(await titles('ship moorings tag:sea')).toEqual(['Boats']);
      expect(await titles('ship moorings tag:land')).toEqual([]);
      expect(await titles('ship moorings -pier')).toEqual([]);
    });
  });

  describe('[SEM-08] a page that is gone', () => {
    it('is never found by meaning, and again once it is back', async () => {
      const { batch } = await sluice.call('delete_page', { page: ids.get('Boats') });
      for (const mode of ['hybrid', 'semantic']) expect(await titles('ship moorings', { mode })).toEqual([]);
      await index();
      for (const mode of ['hybrid', 'semantic']) expect(await titles('ship moorings', { mode })).toEqual([]);
      await sluice.call('restore_page', { batch });
      expect(await titles('ship moorings')).toEqual(['Boats']);
    });
  });

  describe('[SEM-13] a page that a caller may not see', () => {
    it('is not found by meaning, and is still there for those who may, whoever searched first', async () => {
      await create('Recipes', 'Flour, butter and sugar.');
      await create('Hidden quay', 'A secret mooring place for ships.');
      await sluice.call('grant_permission', {
        page: ids.get('Hidden quay'),
        subject_type: 'role',
        subject: 'agent',
        level: 'hidden',
      });
      await index();
      const agent = sluice.as({ name: 'ag', role: 'agent', kind: 'agent' });
      for (const mode of ['hybrid', 'semantic']) {
        const { results } = await agent.call('search', { query: 'ship moorings', mode });
        expect((results as { title: string }[]).map(({ title }) => title)).toEqual(['Boats']);
      }
      expect(await titles('ship moorings', { mode: 'semantic' })).toContain('Hidden quay');
      await sluice.call('delete_page', { page: ids.get('Hidden quay') });
    });
  });

  describe('[SEM-09] a page with the words', () => {
    it('comes before one that only means the same, exact titles and phrases before all', async () => {
      await create('Moorings', 'A list.');
      await create('Rope', 'We say "ship moorings" here once, among many words about hemp and knots.');
      await create(
        'Quay',
        'Where a vessel is tied up in the port, mooring the ship to a bollard at the quay.',
      );
      await index();
      expect((await titles('moorings'))[0]).toBe('Moorings');
      expect((await titles('"ship moorings"'))[0]).toBe('Rope');
      const found = (await search('ship moorings')).results;
      const first = found.findIndex(({ why }) => why.join() === 'meaning');
      expect(first).toBeGreaterThan(0);
    });
  });

  describe('[SEM-06] after any changes', () => {
    it('the index equals one made anew', async () => {
      const random = randomFor('semantic changes');
      const words = 'river lantern harbour engine winter copper letter garden signal meadow'.split(' ');
      const text = (): string =>
        Array.from({ length: random.between(1, 12) }, () => random.pick(words)).join(' ');
      const batches: unknown[] = [];
      for (let i = 0; i < times(40, 300); i += 1) {
        const page = random.pick([...ids.values()]);
        try {
          await random.pick([
            () => create(`Page ${i}`, text()),
            async () => batches.push((await sluice.call('delete_page', { page })).batch),
            () => (batches.length > 0 ? sluice.call('restore_page', { batch: batches.pop() }) : undefined),
            () => sluice.call('rename_page', { page, title: `Named ${i}` }),
            async () => {
              const { version } = await sluice.call('read_page', { page });
              await sluice.call('update_page_content', { page, content: text(), base_version: version });
            },
          ])();
        } catch (error) {
          expect(error).toMatchObject({ code: 'not_found' });
        }
        if (random.oneIn(10)) await index();
      }
      await index();
      const probes = [...words, 'light in the port', 'machine'];
      const look = async (): Promise<unknown[]> =>
        Promise.all(
          probes.map(async (query) =>
            (await search(query, { mode: 'semantic', limit: 100 })).results.map(({ title, snippet }) => [
              title,
              snippet,
            ]),
          ),
        );
      const before = await look();
      expect(await sluice.call('get_search_status')).toMatchObject({ meaning: 'ready' });
      expect(await sluice.call('reindex_search', { anew: true })).toMatchObject({ done: true });
      expect(await look()).toEqual(before);
    });
  });
});
