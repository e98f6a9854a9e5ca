import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { testSeed } from '../../test/support/seed.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice } from './create-sluice.ts';

const sluice = await createSluice({ home: temporaryFolder() });
afterAll(() => sluice.close());

let pages = 0;
async function page(
  content: string,
  more: Record<string, unknown> = {},
): Promise<{ id: string; version: string }> {
  pages += 1;
  const made = await sluice.call('create_page', { title: `Page ${pages}`, content, ...more });
  return made as { id: string; version: string };
}

const read = (input: Record<string, unknown>) => sluice.call('read_page', input);

/** Every part of a page, one call after the other. */
async function parts(input: Record<string, unknown>): Promise<string[]> {
  const all: string[] = [];
  let cursor: unknown;
  do {
    const part: Record<string, unknown> = await read({ ...input, cursor });
    all.push(part.content as string);
    cursor = part.next_cursor;
  } while (cursor !== undefined);
  return all;
}

describe('[PAGE-12] a page in parts', () => {
  it('joins to the whole, byte for byte, for any text and budget', async () => {
    const piece = fc.constantFrom(
      ...[
        'Some words in a row. ',
        '\n',
        '\n\n',
        '# Heading\n\n',
        '- item\n',
        '```\ncode\n```\n',
        '\r\n',
        '日本語の文。',
      ],
      ...[
        '🚀🚀🚀',
        'e\u0301',
        `${'long '.repeat(200)}\n`,
        'x'.repeat(900),
        '| a | b |\n| - | - |\n',
        '\ufeff',
        '> q\n',
      ],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.integer({ min: 50, max: 800 }),
        async (pieces, max_tokens) => {
          const content = pieces.join('');
          const { id } = await page(content);
          const all = await parts({ page: id, max_tokens });
          expect(all.join('')).toBe(content);
          expect(all.every((part) => part.isWellFormed())).toBe(true);
        },
      ),
      { seed: testSeed(), numRuns: 40 },
    );
  });

  it('also where it is one enormous line of characters with two halves', async () => {
    const content = '🚀'.repeat(20_000);
    const { id } = await page(content);
    const all = await parts({ page: id, max_tokens: 1_001 });
    expect(all.join('') === content).toBe(true);
    expect(all.length).toBeGreaterThan(10);
  });

  it('is cut between blocks where they fit', async () => {
    const blocks = Array.from({ length: 20 }, (_, i) => `Paragraph ${i} ${'word '.repeat(20)}`.trim());
    const { id } = await page(`${blocks.join('\n\n')}\n`);
    for (const part of await parts({ page: id, max_tokens: 100 }))
      expect(part).toMatch(/^Paragraph[\s\S]*\n$/);
  });

  it('goes on in the version it began with, while the page changes', async () => {
    const content = Array.from({ length: 50 }, (_, i) => `Line ${i}.`).join('\n\n');
    const { id, version } = await page(content);
    const first = await read({ page: id, max_tokens: 50 });
    await sluice.call('update_page_content', { page: id, content: 'Gone.', base_version: version });
    const rest = await parts({ page: id, max_tokens: 100_000, cursor: undefined });
    expect(rest).toEqual(['Gone.']);
    const second = await read({ page: id, max_tokens: 100_000, cursor: first.next_cursor });
    expect(`${first.content}${second.content}`).toBe(content);
    expect(second.version).toBe(version);
  });

  it('of a section joins to the section', async () => {
    const section = `## Middle\n\n${'More text here.\n\n'.repeat(80)}`;
    const { id } = await page(`# Top\n\nIntro\n\n${section}## End\n\nx\n`);
    const all = await parts({ page: id, section: 'Middle', max_tokens: 60 });
    expect(all.join('')).toBe(section);
    expect(all.length).toBeGreaterThan(2);
  });

  it.each(['x', '', Buffer.from('{}').toString('base64url'), Buffer.from('[1]').toString('base64url')])(
    'refuses a cursor that is not ours: "%s"',
    async (cursor) => {
      const { id } = await page('text');
      await expect(read({ page: id, cursor })).rejects.toMatchObject({
        code: 'invalid_input',
        details: { field: 'cursor' },
      });
    },
  );

  it('refuses a cursor of another page', async () => {
    const [one, other] = [await page('text '.repeat(500)), await page('text '.repeat(500))];
    const { next_cursor } = await read({ page: one.id, max_tokens: 50 });
    await expect(read({ page: other.id, cursor: next_cursor })).rejects.toMatchObject({
      code: 'not_found',
      details: { field: 'cursor' },
    });
  });
});

describe('[PAGE-13] a section', () => {
  const content = '# One\n\na\n\n## Sub\n\nb\n\n# Two\n\n## Sub\n\nc\n\n### Deep\n\nd\n';

  it('is its heading and everything up to the next of its level', async () => {
    const { id } = await page(content);
    const section = async (name: string) => (await read({ page: id, section: name })).content;
    expect(await section('One')).toBe('# One\n\na\n\n## Sub\n\nb\n\n');
    expect(await section('Two#Sub')).toBe('## Sub\n\nc\n\n### Deep\n\nd\n');
    expect(await section('deep')).toBe('### Deep\n\nd\n');
  });

  it('that is missing or not the only one is an error that helps', async () => {
    const { id } = await page(content);
    await expect(read({ page: id, section: 'Twoo' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('"Two"'),
      details: { field: 'section' },
    });
    await expect(read({ page: id, section: 'Sub' })).rejects.toMatchObject({
      code: 'ambiguous',
      details: { candidates: ['One#Sub', 'Two#Sub'] },
    });
  });

  it('is found by what the outline calls it', async () => {
    const { id } = await page(content);
    const { headings, content: text } = await read({ page: id, outline: true });
    expect(text).toBe('');
    expect(headings).toEqual([
      { level: 1, title: 'One', section: 'One' },
      { level: 2, title: 'Sub', section: 'One#Sub' },
      { level: 1, title: 'Two', section: 'Two' },
      { level: 2, title: 'Sub', section: 'Two#Sub' },
      { level: 3, title: 'Deep', section: 'Two#Sub#Deep' },
    ]);
    for (const { section } of headings as { section: string }[]) {
      expect((await read({ page: id, section })).content).toContain('#');
    }
  });

  it('by section, an outline keeps to the budget', async () => {
    const many = Array.from({ length: 3_000 }, (_, i) => `# A heading with number ${i}\n`).join('\n');
    const { id } = await page(many);
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const part: Record<string, unknown> = await read({
        page: id,
        outline: true,
        max_tokens: 5_000,
        cursor,
      });
      const headings = part.headings as { title: string }[];
      expect(headings.length).toBeGreaterThan(0);
      expect(JSON.stringify(headings).length / 4).toBeLessThan(6_000);
      seen.push(...headings.map(({ title }) => title));
      cursor = part.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 3_000 }, (_, i) => `A heading with number ${i}`));
  });
});

describe('[PAGE-14] a reading', () => {
  it('tells everything about the page besides its text', async () => {
    const target = await page('');
    const made = await page(`one two three [[Page ${pages}]] [[Nobody]]\n`, {
      icon: '🚀',
      tags: ['a'],
      properties: { n: 1 },
      derived_from: [target.id],
    });
    expect(await read({ page: made.id })).toMatchObject({
      id: made.id,
      version: made.version,
      origin: 'authored',
      lifecycle: 'canonical',
      icon: '🚀',
      parent: null,
      tags: ['a'],
      properties: { n: 1 },
      aliases: [],
      // With those of the frontmatter, where tags and properties are.
      words: 10,
      links_in: 0,
      links_out: 2,
      created_by: 'owner',
      updated_by: 'owner',
      derived_from: [{ page: target.id, version: target.version }],
    });
    expect((await read({ page: target.id })).links_in).toBe(1);
  });

  it('may be of any version the page has had, and of no other', async () => {
    const made = await page('one');
    const second = await sluice.call('update_page_content', {
      page: made.id,
      content: 'two',
      base_version: made.version,
    });
    expect(await read({ page: made.id, version: made.version })).toMatchObject({
      content: 'one',
      version: made.version,
    });
    expect(await read({ page: made.id, version: second.version })).toMatchObject({ content: 'two' });
    const other = await page('one');
    for (const version of [other.version, 'v1.x.y', 'nonsense']) {
      await expect(read({ page: made.id, version })).rejects.toMatchObject({
        code: 'not_found',
        details: { field: 'version' },
      });
    }
  });
});

describe('[PAGE-15] a page is meant', () => {
  it('by its id, its path, or a slug, title or alias that only one page has', async () => {
    const folder = await sluice.call('create_page', { title: 'My Folder' });
    const inner = await sluice.call('create_page', { title: 'Inner Page', parent: folder.id });
    for (const reference of [
      inner.id,
      String(inner.id).toUpperCase(),
      'my-folder/inner-page',
      '/my-folder/inner-page/',
      'My Folder/Inner Page',
      'inner-page',
      'INNER page',
      '  inner-page ',
    ]) {
      expect((await read({ page: reference })).id).toBe(inner.id);
    }
  });

  it('[PAGE-30] by its id alone where an id is written, whatever others are called', async () => {
    const gone = await sluice.call('create_page', { title: 'Gone' });
    const kept = await sluice.call('create_page', { title: 'Kept' });
    const ids = [String(gone.id), String(kept.id).toUpperCase()];
    for (const title of ids) {
      const trap = await sluice.call('create_page', { title, content: `---\naliases: ["${title}"]\n---\n` });
      expect(trap.slug).toBe(`page-${title.toLowerCase()}`);
      expect((await read({ page: trap.path })).id).toBe(trap.id);
    }
    await sluice.call('delete_page', { page: gone.id });
    await expect(read({ page: gone.id })).rejects.toMatchObject({ code: 'not_found' });
    expect((await read({ page: kept.id })).title).toBe('Kept');
  });

  it('for certain, or the candidates are named', async () => {
    for (const title of ['fa', 'fb']) {
      const { id } = await sluice.call('create_page', { title });
      await sluice.call('create_page', { title: 'Same', parent: id });
    }
    await expect(read({ page: 'same' })).rejects.toMatchObject({
      code: 'ambiguous',
      message: expect.stringContaining('"fa/same", "fb/same"'),
      details: { field: 'page', candidates: [{ path: 'fa/same' }, { path: 'fb/same' }] },
    });
  });

  it('by its title rather than by a slug that only looks like it', async () => {
    const dashed = await sluice.call('create_page', { title: 'foo-bar' });
    const spaced = await sluice.call('create_page', { title: 'Foo Bar' });
    expect(spaced.slug).toBe('foo-bar-2');
    expect((await read({ page: 'foo-bar' })).id).toBe(dashed.id);
    expect((await read({ page: 'Foo Bar' })).id).toBe(spaced.id);
    expect((await read({ page: 'foo-bar-2' })).id).toBe(spaced.id);
  });

  it('by nothing of which nothing is left', async () => {
    await sluice.call('create_page', { title: 'Page' });
    for (const reference of ['???', '#', '/', '-', '..']) {
      await expect(read({ page: reference })).rejects.toMatchObject({ code: 'not_found' });
    }
    const odd = await sluice.call('create_page', { title: '???' });
    expect((await read({ page: '???' })).id).toBe(odd.id);
  });

  it('at the root before any other page of that slug', async () => {
    const { id } = await sluice.call('create_page', { title: 'holder' });
    await sluice.call('create_page', { title: 'Rooted', parent: id });
    const root = await sluice.call('create_page', { title: 'Rooted' });
    expect((await read({ page: 'rooted' })).id).toBe(root.id);
  });
});
