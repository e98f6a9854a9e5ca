/** Tags and properties through the tools, on both stores; renaming a tag is judged by texts that are simply made anew. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice, type Sluice, type SluiceClient } from '../../src/app/create-sluice.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { type Random, randomFor, times } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { UNLIMITED } from '../support/unlimited.ts';

type Answer = Record<string, unknown>;

onEachStore('tags and properties', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice;
  let pages = 0;
  const call = (tool: string, input: Answer) => sluice.call(tool, input);
  const create = async (content: string, more: Answer = {}): Promise<string> => {
    pages += 1;
    return String((await call('create_page', { title: `Page ${pages}`, content, ...more })).id);
  };
  const read = (id: string) => call('read_page', { page: id, max_tokens: 100_000 });
  const inOwnWorkspace = async (name: string): Promise<SluiceClient> => {
    const made = (await call('workspace.create', { name, open: true })) as { workspace: { id: string } };
    const workspace = made.workspace.id;
    return sluice.as({ name: 'ann', role: 'owner', kind: 'author', origin: 'authored', workspace });
  };
  const textOf = async (id: string) => (await read(id)).content;
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home, config: { ...under.config(), ...UNLIMITED } });
  });
  afterAll(async () => {
    if (!under.available()) return;
    await sluice.close();
    await expectConsistent(home, under.config());
  });

  describe('[EDIT-12] properties', () => {
    it('are set and removed in the frontmatter, and told with their types', async () => {
      const id = await create('---\n# mine\nstatus: open # why\n---\n# T\r\n');
      const properties = {
        status: 'done',
        due: '2026-01-31',
        at: '2026-01-31T10:00',
        n: 2.5,
        ok: true,
        who: ['[[Ann]]', 1],
        link: '[[Ann]]',
      };
      const done = await call('set_properties', { page: id, properties });
      expect(done).toMatchObject({ changed: true });
      expect(done.properties).toEqual([
        { name: 'status', type: 'text', value: 'done' },
        { name: 'due', type: 'date', value: '2026-01-31' },
        { name: 'at', type: 'datetime', value: '2026-01-31T10:00' },
        { name: 'n', type: 'number', value: 2.5 },
        { name: 'ok', type: 'boolean', value: true },
        { name: 'who', type: 'list', value: ['[[Ann]]', 1] },
        { name: 'link', type: 'link', value: '[[Ann]]' },
      ]);
      expect(await textOf(id)).toBe(
        '---\n# mine\nstatus: done # why\ndue: 2026-01-31\nat: 2026-01-31T10:00\nn: 2.5\nok: true\nwho:\n  - "[[Ann]]"\n  - 1\nlink: "[[Ann]]"\n---\n# T\r\n',
      );
      const gone = Object.fromEntries(Object.keys(properties).map((key) => [key, null]));
      await call('set_properties', { page: id, properties: { ...gone, status: 'open' } });
      expect(await textOf(id)).toBe('---\n# mine\nstatus: open # why\n---\n# T\r\n');
      expect(await call('set_properties', { page: id, properties: { status: 'open' } })).toMatchObject({
        changed: false,
      });
    });

    it('are found by search, and links among them are links', async () => {
      const target = await create('target');
      const { title } = await read(target);
      const id = await create('text');
      await call('set_properties', { page: id, properties: { kind: 'Recipe', see: `[[${title}]]` } });
      const found = (await call('search', { query: 'prop:kind=recipe' })) as { results: { id: string }[] };
      expect(found.results.map((hit) => hit.id)).toEqual([id]);
      expect(await call('get_backlinks', { page: target })).toMatchObject({ total: 1 });
      await call('set_properties', { page: id, properties: { kind: null, see: null } });
      expect(await textOf(id)).toBe('text');
      expect(await call('search', { query: 'prop:kind=recipe' })).toMatchObject({ results: [] });
      expect(await call('get_backlinks', { page: target })).toMatchObject({ total: 0 });
    });

    it.each([
      [{ properties: { due: 'soon' }, types: { due: 'date' } }, 'properties.due'],
      [{ properties: { due: '2026-02-30' }, types: { due: 'date' } }, 'properties.due'],
      [{ properties: { n: '3' }, types: { n: 'number' } }, 'properties.n'],
      [{ properties: { tags: ['a'] } }, 'properties.tags'],
      [{ properties: { 'a:b': 1 } }, 'properties.a:b'],
      [{ properties: { long: 'x'.repeat(2_000) } }, 'properties.long'],
    ])('that are not what they should be are refused: %j', async (wish, field) => {
      const id = await create('text');
      await expect(call('set_properties', { page: id, ...wish })).rejects.toMatchObject({
        code: 'invalid_input',
        details: { field },
      });
      expect(await textOf(id)).toBe('text');
    });

    it('of a page that has changed, or with frontmatter nobody can read, are refused', async () => {
      const id = await create('---\na: [\n---\n');
      await expect(call('set_properties', { page: id, properties: { b: 1 } })).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'frontmatter' },
      });
      await expect(
        call('set_properties', { page: id, properties: { b: 1 }, if_match: 'v0' }),
      ).rejects.toMatchObject({ code: 'conflict', details: { reason: 'stale' } });
    });

    it('and tags given with a new page are in its text, so that an export has them', async () => {
      const id = await create('# T\n\n#inline\n', {
        tags: ['a/b', 'inline'],
        properties: { n: 1, none: null },
      });
      const made = await read(id);
      expect(made.content).toBe('---\nn: 1\nnone:\ntags:\n  - a/b\n---\n# T\n\n#inline\n');
      expect(made).toMatchObject({ tags: ['a/b', 'inline'], properties: { n: 1, none: null } });
    });
  });

  describe('[EDIT-13] tags of a page', () => {
    it('are added once and taken away wherever they stand', async () => {
      const id = await create('---\ntags: [a] # mine\n---\nWe like #b and #b/c, not `#b`.\n');
      expect(await call('tag_page', { page: id, tags: ['#d', 'A', 'b'] })).toMatchObject({
        tags: ['a', 'd', 'b', 'b/c'],
      });
      expect(await textOf(id)).toBe('---\ntags: [a, d] # mine\n---\nWe like #b and #b/c, not `#b`.\n');
      const done = await call('untag_page', { page: id, tags: ['B', 'a', 'none'] });
      expect(done).toMatchObject({ changed: true, tags: ['d', 'b/c'] });
      expect(await textOf(id)).toBe('---\ntags: [d] # mine\n---\nWe like b and #b/c, not `#b`.\n');
      expect(await call('tag_page', { page: id, tags: ['d'] })).toMatchObject({ changed: false });
      await expect(call('tag_page', { page: id, tags: ['no spaces'] })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });

    it('are counted with those nested in them, page by page', async () => {
      const ann = await inOwnWorkspace('counted');
      const texts = ['#x', '#X/y #x', '#x/y/z', '#xy', '#x0'];
      const ids: string[] = [];
      for (const [i, content] of texts.entries())
        ids.push(String((await ann.call('create_page', { title: `T ${i}`, content })).id));
      const all = await ann.call('list_tags', {});
      expect(all.tags).toEqual([
        { tag: 'x', pages: 2, with_nested: 3 },
        { tag: 'X/y', pages: 1, with_nested: 2 },
        { tag: 'x/y/z', pages: 1, with_nested: 1 },
        { tag: 'x0', pages: 1, with_nested: 1 },
        { tag: 'xy', pages: 1, with_nested: 1 },
      ]);
      const first = await ann.call('list_tags', { under: '#X', limit: 2 });
      const rest = await ann.call('list_tags', { under: 'x', limit: 2, cursor: first.next_cursor });
      expect([...(first.tags as Answer[]), ...(rest.tags as Answer[])]).toEqual(
        (all.tags as Answer[]).slice(0, 3),
      );
      expect(rest.next_cursor).toBeUndefined();
      await ann.call('delete_page', { page: ids[2] });
      expect((await ann.call('list_tags', { under: 'x/y' })).tags).toEqual([
        { tag: 'X/y', pages: 1, with_nested: 1 },
      ]);
    });
  });

  it('[EDIT-14] what is no tag is named by its argument', async () => {
    for (const [field, wish] of [
      ['from', { from: 'a b', to: 'x' }],
      ['to', { from: 'x', to: 'a b' }],
    ] as const)
      await expect(call('rename_tag', wish)).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(`^"${field}" must be a tag, not "a b"; a tag is letters`),
        details: { field },
      });
  });

  it('[EDIT-14] a tag nobody has is no tag to rename, and an agent renames none that an author wrote', async () => {
    await expect(call('rename_tag', { from: 'nobody', to: 'x' })).rejects.toMatchObject({
      code: 'not_found',
      details: { field: 'from' },
    });
    const id = await create('#authored');
    const agent = sluice.as({ name: 'bot', role: 'client', kind: 'agent', origin: 'agent-produced' });
    const outcome = await agent.call('rename_tag', { from: 'authored', to: 'mine' }).catch((error) => error);
    expect(JSON.stringify(outcome)).toMatch(/review_required|proposal/);
    expect(await textOf(id)).toBe('#authored');
  });

  it('[EDIT-14] pages whose tags cannot be told from code are left and reported', async () => {
    const id = await create('#skip\n\n```\nopen\n');
    const fine = await create('#skip');
    const done = await call('rename_tag', { from: 'skip', to: 'kept' });
    expect(done).toMatchObject({
      updated_pages: 1,
      skipped: [{ page: id, reason: expect.stringContaining('fence') }],
    });
    expect([await textOf(id), await textOf(fine)]).toEqual(['#skip\n\n```\nopen\n', '#kept']);
  });

  const RUNS = times(6, 120);
  it(`[EDIT-14] renaming gives the texts that would have been written with the other name, as foretold, ${RUNS} times`, async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const random = randomFor(`tags ${run}`);
      const ann = await inOwnWorkspace(`tags ${run}`);
      const drawn = Array.from({ length: 6 }, () => drawPage(random));
      const ids: string[] = [];
      for (const [i, page] of drawn.entries())
        ids.push(
          String(
            (
              await ann.call('create_page', {
                title: `P ${i}`,
                content: page.map((piece) => write(piece, (tag) => tag)).join(''),
              })
            ).id,
          ),
        );
      const from = random.pick(TAGS);
      const to = random.pick([
        'new',
        'new/deep',
        'Been/Here',
        from.toUpperCase(),
        `${from}/sub`,
        'ünï-code_1',
      ]);
      const rename = (tag: string): string => renamed(tag, from, to);
      const hit = drawn.map((page) => page.some((piece) => piece.tags?.some((tag) => rename(tag) !== tag)));
      if (!drawn.some((page) => page.some((piece) => piece.tags?.some((tag) => isWithin(tag, from)))))
        continue;
      const wish = { from, to };
      const foretold = await ann.call('rename_tag', { ...wish, dry_run: true });
      const done = await ann.call('rename_tag', wish);
      expect({ ...foretold, dry_run: false }).toEqual({ ...done, change: undefined });
      expect(done).toMatchObject({ updated_pages: hit.filter(Boolean).length, skipped: [] });
      for (const [i, page] of drawn.entries()) {
        const { content } = await ann.call('read_page', { page: ids[i], max_tokens: 100_000 });
        expect(content, `seed page ${i} of run ${run}: ${from} to ${to}`).toBe(
          page.map((piece) => write(piece, rename)).join(''),
        );
      }
    }
  });
});

const TAGS = ['a', 'a/b', 'A', 'b', '漢字', 'a-b', 'ab', 'a/b/c'];

/** A stretch of text with tags in it, or without any that count. */
interface Piece {
  readonly before: string;
  readonly tags?: readonly string[];
  readonly between?: string;
  readonly after: string;
}

const PIECES: readonly ((tag: string, other: string) => Piece)[] = [
  (tag) => ({ before: 'Words #', tags: [tag], after: ', more.\n\n' }),
  (tag, other) => ({ before: '#', tags: [tag, other], between: ' #', after: '\r\n\r\n' }),
  (tag) => ({ before: '- item #', tags: [tag], after: '\n' }),
  (tag) => ({ before: '> quote #', tags: [tag], after: '\n\n' }),
  (tag) => ({ before: '| x |\n| - |\n| #', tags: [tag], after: ' |\n\n' }),
  (tag) => ({ before: '# Heading #', tags: [tag], after: '\n\n' }),
  (tag) => ({ before: `\`#${tag}\` and [[Page#${tag}]] and x#${tag} [l](u#${tag})`, after: '\n\n' }),
  (tag) => ({ before: `\`\`\`\n#${tag}\n\`\`\`\n`, after: '\n' }),
  (tag) => ({ before: `<!-- #${tag} -->`, after: '\n\n' }),
  (tag) => ({ before: `$#${tag}$ %%#${tag}%%`, after: '\n\n' }),
];

const FRONTS: readonly ((tag: string, other: string) => Piece)[] = [
  (tag) => ({ before: '---\n# #a\ntags: [', tags: [tag], after: ', zz] # a\nx: a\n---\n' }),
  (tag, other) => ({
    before: '---\ntags:\n  - ',
    tags: [tag, other],
    between: ' # one\n  - ',
    after: '\n  # end\na: b\n---\n',
  }),
  (tag) => ({ before: '---\ntag: ["#', tags: [tag], after: '"]\n---\n' }),
  () => ({ before: '---\ntitle: a\n---\n', after: '' }),
];

function drawPage(random: Random): Piece[] {
  // Two tags of one list that become equal would be one, which is another rule.
  const tag = (): string => random.pick(TAGS);
  const front = random.oneIn(2) ? [random.pick(FRONTS)(tag(), 'other')] : [];
  const body = Array.from({ length: random.between(1, 6) }, () => random.pick(PIECES)(tag(), tag()));
  return [...front, ...body];
}

const write = ({ before, tags = [], between = '', after }: Piece, become: (tag: string) => string): string =>
  before + tags.map(become).join(between) + after;

const isWithin = (tag: string, from: string): boolean =>
  tag.toLowerCase() === from.toLowerCase() || tag.toLowerCase().startsWith(`${from.toLowerCase()}/`);

const renamed = (tag: string, from: string, to: string): string =>
  isWithin(tag, from) ? to + tag.slice(from.length) : tag;
