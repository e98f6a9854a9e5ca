import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testSeed } from '../../test/support/seed.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice } from './create-sluice.ts';

let now = Date.UTC(2026, 0, 1);
const sluice = await createSluice({ home: temporaryFolder(), clock: { now: () => now } });
afterAll(() => sluice.close());

const create = async (title: string, content: string, more: Record<string, unknown> = {}) => {
  now += 1_000;
  return (await sluice.call('create_page', { title, content, ...more })).id as string;
};

interface Result {
  readonly title: string;
  readonly score: number;
  readonly snippet: string;
  readonly marks: readonly (readonly [number, number])[];
  readonly heading_path: readonly string[];
  readonly block?: string;
  readonly why: readonly string[];
}

const search = async (query: string, more: Record<string, unknown> = {}): Promise<readonly Result[]> =>
  (await sluice.call('search', { query, ...more })).results as Result[];

const titles = async (query: string, more: Record<string, unknown> = {}): Promise<string[]> =>
  (await search(query, more)).map(({ title }) => title);

beforeAll(async () => {
  const garden = await create('Garden', 'About tomatoes, carrots and peas.', { tags: ['plants/food'] });
  await create('Tomatoes', 'They need sun. Tomatoes, tomatoes.', {
    parent: garden,
    tags: ['Plants'],
    properties: { colour: 'Red', count: 3, ripe: true, months: ['july', 'august'] },
  });
  await create('Carrots', '# Soil\n\nThe quick brown fox digs in loose soil.\n', { parent: garden });
  await create('Quick notes', 'Brown bread, a quick fox and nothing brown about it.');
  await create('Peas and tomatoes', 'Peas, with tomatoes: a recipe.');
  now += 1_000;
  await sluice.as({ name: 'ag', role: 'agent', kind: 'agent' }).call('create_page', {
    title: 'By an agent',
    content: 'An agent wrote about peas.',
  });
  await create('日本語ノート', '東京都の会議について。');
});

describe('[PAGE-19] a search', () => {
  it('puts the page that is called exactly so first', async () => {
    expect((await titles('tomatoes'))[0]).toBe('Tomatoes');
    expect((await search('TOMATOES'))[0]?.why[0]).toBe('exact title');
  });

  it('finds pages with any of the words, the better first', async () => {
    const found = await titles('tomatoes peas recipe');
    expect(found[0]).toBe('Peas and tomatoes');
    expect([...found].sort()).toEqual(['By an agent', 'Garden', 'Peas and tomatoes', 'Tomatoes']);
  });

  it('wants a phrase in its order when it is all there is', async () => {
    expect(await titles('"quick brown fox"')).toEqual(['Carrots']);
    expect(await titles('"fox brown quick"')).toEqual([]);
  });

  it('puts pages with the phrase before pages with its words', async () => {
    const found = await search('"quick brown fox" bread');
    expect(found.map(({ title }) => title)).toEqual(['Carrots', 'Quick notes']);
    expect(found[0]?.why).toContain('phrase "quick brown fox"');
  });

  it('takes a few words for a phrase as well, and puts pages that have them together first', async () => {
    await create('Bag', 'Brown, brown, fox, fox: brown quick quick fox brown quick fox.');
    const found = await search('quick brown fox');
    expect(found.map(({ title }) => title)).toEqual(['Carrots', 'Bag', 'Quick notes']);
    expect(found[0]?.why[0]).toBe('phrase "quick brown fox"');
    expect(found[0]?.marks.map(([from, to]) => found[0]?.snippet.slice(from, to))).toEqual([
      'quick brown fox',
    ]);
    expect(found[1]?.why[0]).toMatch(/^words: /);
    await sluice.call('delete_page', { page: 'bag' });
  });

  it('leaves out what it is told to', async () => {
    expect(await titles('tomatoes -recipe')).not.toContain('Peas and tomatoes');
    expect(await titles('fox -"quick brown"')).toEqual(['Quick notes']);
  });

  it.each([
    ['tag:plants', ['Garden', 'Tomatoes']],
    ['tag:PLANTS', ['Garden', 'Tomatoes']],
    ['tag:#plants/food', ['Garden']],
    ['tag:plant', []],
    ['prop:colour=red', ['Tomatoes']],
    ['prop:count=3', ['Tomatoes']],
    ['prop:ripe=true', ['Tomatoes']],
    ['prop:months=august', ['Tomatoes']],
    ['prop:colour=blue', []],
    ['under:garden', ['Carrots', 'Garden', 'Tomatoes']],
    ['under:garden/carrots', ['Carrots']],
    ['origin:agent-produced', ['By an agent']],
    ['lifecycle:candidate', ['By an agent']],
    ['under:garden tomatoes', ['Garden', 'Tomatoes']],
    ['under:nowhere', []],
    ['under:nowhere tomatoes', []],
    ['under:../.. tomatoes', []],
    ['tag:plants under:garden -carrots', ['Tomatoes']],
    // Something to leave out is something to ask for: everything else.
    ['-tomatoes', ['By an agent', 'Carrots', 'Quick notes', '日本語ノート']],
    ['-tomatoes -"quick brown"', ['By an agent', 'Quick notes', '日本語ノート']],
    ['-tag:plants', ['By an agent', 'Carrots', 'Peas and tomatoes', 'Quick notes', '日本語ノート']],
    ['-tag:#plants/food under:garden', ['Carrots', 'Tomatoes']],
    ['tomatoes -tag:plants', ['Peas and tomatoes']],
    ['tag:plants -tag:plants', []],
  ])('is narrowed by what the query says: %s', async (query, expected) => {
    expect((await titles(query)).sort()).toEqual(expected);
  });

  it.each([
    [{ tags: ['plants'] }, ['Garden', 'Tomatoes']],
    [{ tags: ['plants', 'plants/food'] }, ['Garden']],
    [{ properties: { colour: 'RED', count: 3 } }, ['Tomatoes']],
    [{ under: 'garden' }, ['Carrots', 'Garden', 'Tomatoes']],
    [{ origin: 'agent-produced' }, ['By an agent']],
    [{ lifecycle: 'candidate' }, ['By an agent']],
    [{ updated_since: '2026-01-01T00:00:06Z' }, ['By an agent', '日本語ノート']],
  ])('is narrowed by filters: %j', async (filters, expected) => {
    expect((await titles('', { filters })).sort()).toEqual(expected);
  });

  it('goes by a place given as a filter rather than by one that the query names', async () => {
    expect(await titles('under:nowhere bread', { filters: { under: 'quick-notes' } })).toEqual([
      'Quick notes',
    ]);
    expect(await titles('under:quick-notes bread', { filters: { under: 'garden' } })).toEqual([]);
  });

  it('takes a place that no page can be called for one that is not there', async () => {
    expect(await titles(`under:${'x'.repeat(2_001)} tomatoes`)).toEqual([]);
  });

  it('of filters alone shows the newest first', async () => {
    expect(await titles('', { filters: { under: 'garden' } })).toEqual(['Carrots', 'Tomatoes', 'Garden']);
  });

  it('of nothing finds nothing', async () => {
    for (const query of ['', '   ', '""', '-', '- -"" ""']) expect(await titles(query)).toEqual([]);
  });

  it('finds scripts without spaces', async () => {
    expect(await titles('会議')).toEqual(['日本語ノート']);
    expect(await titles('京都')).toEqual(['日本語ノート']);
  });

  it('says where and why it found each', async () => {
    const [hit] = await search('soil loose');
    expect(hit).toMatchObject({ title: 'Carrots', heading_path: ['Soil'] });
    expect(hit?.block).toMatch(/^[0-9a-f-]{36}$/);
    expect(hit?.score).toBeGreaterThan(0);
    const marked = hit?.marks.map(([from, to]) => hit.snippet.slice(from, to).toLowerCase());
    expect(marked).toContain('loose');
    expect(hit?.why.join()).toContain('soil');
  });

  it('names the block that the word stands in, under the heading it names', async () => {
    const page = await create('Orchard', '# Top\n\nApples.\n\n## Sub\n\nThe persimmons are late.\n');
    const [hit] = await search('persimmons');
    expect(hit?.heading_path).toEqual(['Top', 'Sub']);
    const block = await sluice.call('read_block', { page, block: hit?.block });
    expect(String(block.content).trim()).toBe('The persimmons are late.');
  });

  it('looks below each of the pages that a name in the query fits, and below none that the caller cannot see', async () => {
    const [left, right] = [await create('Left', ''), await create('Right', '')];
    const [one, two] = [
      await create('Shed', '', { parent: left }),
      await create('Shed', '', { parent: right }),
    ];
    await create('Spade', 'digs', { parent: one });
    await create('Rake', 'digs', { parent: two });
    expect((await titles('under:shed digs')).sort()).toEqual(['Rake', 'Spade']);
    await expect(titles('digs', { filters: { under: 'shed' } })).rejects.toMatchObject({ code: 'ambiguous' });
    const hide = { subject_type: 'role', subject: 'agent', level: 'hidden' };
    for (const page of [left, right]) await sluice.call('grant_permission', { page, ...hide });
    const agent = sluice.as({ name: 'ag', role: 'agent', kind: 'agent' });
    const asked = { query: 'under:shed digs' };
    expect(await agent.call('search', asked)).toEqual(
      await agent.call('search', { ...asked, query: 'under:nowhere digs' }),
    );
  });

  it('knows pages as they are called and as they are now', async () => {
    const made = await sluice.call('create_page', { title: 'Zebra', content: 'stripes' });
    await sluice.call('update_page_content', { page: made.id, content: 'spots', base_version: made.version });
    expect(await titles('stripes')).toEqual([]);
    expect(await titles('spots')).toEqual(['Zebra']);
    await sluice.call('rename_page', { page: made.id, title: 'Giraffe' });
    expect(await titles('zebra')).toEqual([]);
    expect(await titles('giraffe')).toEqual(['Giraffe']);
    await sluice.call('update_page_metadata', { page: made.id, title: 'Okapi' });
    expect(await titles('okapi')).toEqual(['Okapi']);
    await sluice.call('delete_page', { page: made.id });
    expect(await titles('okapi spots')).toEqual([]);
  });

  it('takes any input at all as a query', async () => {
    const piece = fc.constantFrom(
      ...[
        '"',
        "'",
        '-',
        ':',
        '*',
        '(',
        ')',
        'NEAR',
        'AND',
        'OR',
        'NOT',
        '^',
        '+',
        '\\',
        'tag:',
        'prop:',
        'prop:a=',
      ],
      ...[
        'origin:',
        'lifecycle:x',
        'under:',
        ' ',
        'tomatoes',
        '日本',
        '🚀',
        '\u0001',
        'a.b',
        '%',
        ';',
        '--',
        '{',
        '[[',
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const query = pieces.join('');
        await expect(search(query)).resolves.toBeInstanceOf(Array);
      }),
      { seed: testSeed(), numRuns: 150 },
    );
  });

  it.each([
    [{ mode: 'semantic' }, 'conflict'],
    [{ filters: { updated_since: 'soon' } }, 'invalid_input'],
    [{ filters: { under: 'nowhere' } }, 'not_found'],
    [{ filters: { origin: 'divine' } }, 'invalid_input'],
    [{ limit: 0 }, 'invalid_input'],
    [{ limit: 101 }, 'invalid_input'],
    [{ cursor: 'x' }, 'invalid_input'],
  ])('is refused with %j', async (more, code) => {
    await expect(search('tomatoes', more)).rejects.toMatchObject({ code });
  });

  it('says which mode was used', async () => {
    for (const mode of ['text', 'hybrid']) {
      expect((await sluice.call('search', { query: 'tomatoes', mode })).mode).toBe('text');
    }
  });
});

describe('[PAGE-20] the results of a search', () => {
  beforeAll(async () => {
    for (let i = 0; i < 45; i += 1) {
      await create(`Ledger ${i % 9}`, `ledger ${'entry '.repeat(i % 5)} amount ${i}`);
    }
  });

  const everyPart = async (input: Record<string, unknown>): Promise<string[]> => {
    const ids: string[] = [];
    let cursor: unknown;
    do {
      const part: Record<string, unknown> = await sluice.call('search', { ...input, cursor });
      ids.push(...(part.results as { id: string }[]).map(({ id }) => id));
      cursor = part.next_cursor;
    } while (cursor !== undefined);
    return ids;
  };

  it('are the same in parts as at once, and the same every time', async () => {
    const all = await everyPart({ query: 'ledger', limit: 100 });
    expect(all).toHaveLength(45);
    expect(new Set(all).size).toBe(45);
    for (const limit of [1, 7, 20]) expect(await everyPart({ query: 'ledger', limit })).toEqual(all);
  });

  it('neither repeat nor skip what was there when pages come meanwhile', async () => {
    const all = await everyPart({ query: 'ledger entry', limit: 100 });
    const first = await sluice.call('search', { query: 'ledger entry', limit: 10 });
    await create('Something else', 'without those words');
    const rest: string[] = [];
    let cursor = first.next_cursor;
    while (cursor !== undefined) {
      const part: Record<string, unknown> = await sluice.call('search', {
        query: 'ledger entry',
        limit: 10,
        cursor,
      });
      rest.push(...(part.results as { id: string }[]).map(({ id }) => id));
      cursor = part.next_cursor;
    }
    const shown = [...(first.results as { id: string }[]).map(({ id }) => id), ...rest];
    expect(new Set(shown).size).toBe(shown.length);
    expect([...shown].sort()).toEqual([...all].sort());
  });

  it('go on only for the same search', async () => {
    const { next_cursor } = await sluice.call('search', { query: 'ledger', limit: 5 });
    expect(next_cursor).toBeDefined();
    for (const other of [
      { query: 'ledger entry' },
      { query: 'ledger', mode: 'text' },
      { query: 'ledger', filters: { under: 'garden' } },
    ]) {
      await expect(sluice.call('search', { ...other, limit: 5, cursor: next_cursor })).rejects.toMatchObject({
        code: 'invalid_input',
        details: { field: 'cursor' },
      });
    }
    const same = await sluice.call('search', { query: 'ledger', limit: 9, cursor: next_cursor });
    expect(same.results).toHaveLength(9);
  });

  it('lose snippets before any of them is lost, where the budget is small', async () => {
    const found = await search('ledger', { limit: 40, max_tokens: 500 });
    expect(found).toHaveLength(40);
    expect(found[0]?.snippet).not.toBe('');
    expect(found.at(-1)?.snippet).toBe('');
  });

  it('begin with the exact title, however many pages say the word more often', async () => {
    await create('Tally', 'short');
    for (let i = 0; i < 230; i += 1) await create(`Tally tally ${i}`, 'tally tally tally tally');
    expect((await titles('tally', { limit: 1 }))[0]).toBe('Tally');
  });

  it('are only of the workspace the caller is in', async () => {
    await sluice.call('workspace.create', { name: 'other' });
    await sluice.call('workspace.open', { workspace: 'other' });
    expect(await titles('ledger')).toEqual([]);
    await sluice.call('workspace.close', { workspace: 'other' });
  });
});
