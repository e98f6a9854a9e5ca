/** Unlinked mentions, the health of a workspace and templates, on both stores. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSluice, type Sluice, type SluiceClient } from '../../src/app/create-sluice.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { UNLIMITED } from '../support/unlimited.ts';

type Answer = Record<string, unknown>;

onEachStore('looking after a workspace', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice;
  let spaces = 0;
  const fresh = async (): Promise<{ ann: SluiceClient; bot: SluiceClient }> => {
    spaces += 1;
    const made = await sluice.call('workspace.create', { name: `space ${spaces}`, open: true });
    const workspace = (made.workspace as { id: string }).id;
    return {
      ann: sluice.as({ name: 'ann', role: 'owner', kind: 'author', origin: 'authored', workspace }),
      bot: sluice.as({ name: 'bot', role: 'client', kind: 'agent', origin: 'agent-produced', workspace }),
    };
  };
  const create = async (who: SluiceClient, title: string, content = '', more: Answer = {}) =>
    String((await who.call('create_page', { title, content, ...more })).id);
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home, config: { ...under.config(), ...UNLIMITED } });
  });
  afterAll(async () => {
    if (!under.available()) return;
    await sluice.close();
    await expectConsistent(home, under.config());
  });

  it('[EDIT-24] finds every place that names a page and does not link, and no other', async () => {
    const { ann } = await fresh();
    const page = await create(ann, 'Red Fox', '---\naliases: [Vulpes (v.)]\n---\nRed fox itself.');
    const texts: [string, string[]][] = [
      ['A red  FOX ran. Then Vulpes (v.)!', ['red  FOX', 'Vulpes (v.)']],
      ['- item: Red\n  fox', ['Red\nfox']],
      ['> **Red Fox** yes', ['Red Fox']],
      ['[[Red Fox]], [[x|Red Fox]], [Red Fox](y.md), ![Red Fox](z.png)', []],
      ['`Red Fox`\n\n```\nRed Fox\n```\n\n<!-- Red Fox -->\n\n$Red Fox$', []],
      ['Tired Foxes, Red-Fox, redfox', []],
      ['---\nabout: Red Fox\n---\n', []],
      ['| a |\n| - |\n| Red Fox |', ['Red Fox']],
    ];
    for (const [i, [content]] of texts.entries()) await create(ann, `T ${i}`, content);
    const { mentions, next_cursor } = await ann.call('get_unlinked_mentions', { page });
    expect(next_cursor).toBeUndefined();
    const found = Map.groupBy(
      mentions as { page: { title: string }; text: string }[],
      (one) => one.page.title,
    );
    for (const [i, [content, wanted]] of texts.entries())
      expect(
        (found.get(`T ${i}`) ?? []).map((one) => one.text.replace(/\n\s*/, '\n')),
        content,
      ).toEqual(wanted);
    const kanji = await create(ann, '漢字');
    await create(ann, 'J', '日本の漢字です。');
    expect(await ann.call('get_unlinked_mentions', { page: kanji })).toMatchObject({
      mentions: [{ text: '漢字', context: '日本の漢字です。' }],
    });
  });

  it('[EDIT-24] goes on where it stopped, and shows each page once', async () => {
    const { ann } = await fresh();
    const page = await create(ann, 'Often named');
    for (let i = 0; i < 130; i += 1) await create(ann, `T ${i}`, i % 2 === 0 ? 'Often named.' : 'Never.');
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const part = await ann.call('get_unlinked_mentions', { page, ...(cursor ? { cursor } : {}) });
      seen.push(...(part.mentions as { page: { title: string } }[]).map((one) => one.page.title));
      cursor = part.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(65);
    expect(new Set(seen).size).toBe(65);
  });

  it('[EDIT-25] counts what wants a look, shows the first and pages through the rest', async () => {
    const { ann, bot } = await fresh();
    const check = async (name: string, more: Answer = {}) => {
      const { checks } = await ann.call('workspace_health', { check: name, ...more });
      return (
        checks as {
          count: number;
          items: { page: { title: string }; written?: string }[];
          next_cursor?: string;
        }[]
      )[0];
    };
    const source = await create(ann, 'Source', 'first');
    await create(ann, 'Derived', '[[Source]]', { derived_from: [source] });
    await create(ann, 'Fresh', '[[Derived]] [[No page]] [[No other]] [[Twin]]', { derived_from: [source] });
    await create(ann, 'Twin', '', { parent: 'source' });
    await create(ann, 'Second');
    await create(ann, 'Twin', '', { parent: 'second' });
    await create(bot, 'Proposed');
    await ann.call('edit_page', { page: source, edits: [{ op: 'append', text: 'changed' }] });
    await ann.call('edit_page', {
      page: 'fresh',
      edits: [{ op: 'append', text: 'x' }],
      derived_from: [source],
    });
    expect(await ann.call('workspace_health', {})).toMatchObject({ pages: 7, unreviewed_share: 0.143 });
    const titles = (found: Awaited<ReturnType<typeof check>>) => found?.items.map((item) => item.page.title);
    expect(titles(await check('orphans'))).toEqual(['Fresh', 'Proposed']);
    expect(titles(await check('unreviewed'))).toEqual(['Proposed']);
    expect(titles(await check('stale_derivations'))).toEqual(['Derived']);
    expect(await check('ambiguous_links')).toMatchObject({ count: 1, items: [{ written: 'Twin' }] });
    const first = await check('broken_links', { limit: 1 });
    expect(first).toMatchObject({ count: 2, items: [{ written: 'No page' }] });
    expect(await check('broken_links', { limit: 1, cursor: first?.next_cursor })).toMatchObject({
      items: [{ written: 'No other' }],
    });
    const one = await check('orphans', { limit: 1 });
    expect(titles(await check('orphans', { limit: 1, cursor: one?.next_cursor }))).toEqual(['Proposed']);
    await expect(check('unreviewed', { cursor: one?.next_cursor })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await ann.call('delete_page', { page: source });
    await ann.call('purge_page', { older_than_days: 0 });
    expect(titles(await check('stale_derivations'))).toEqual(['Derived', 'Fresh']);
  });

  it('[EDIT-26] a page made from a template is filled in and no template itself', async () => {
    const { ann } = await fresh();
    const text =
      '---\ntemplate: true\ntitle: {{title}}\nname: "About {{title}}" # kept\nday: {{date}}\nother: {a: 1}\n---\n# {{title}}\n\n{{unknown}}\n';
    await create(ann, 'Daily', text);
    await create(ann, 'Plain', 'text');
    const title = 'It\'s: a "test" #1';
    const { id } = await ann.call('create_page', { title, template: 'daily', tags: ['new'] });
    const made = await ann.call('read_page', { page: id });
    const today = String((made.properties as Answer).day);
    expect(today).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(made.properties).toEqual({ title, name: `About ${title}`, day: today, other: '{"a":1}' });
    expect(String(made.content).endsWith(`tags:\n  - new\n---\n# ${title}\n\n{{unknown}}\n`)).toBe(true);
    expect(made.content).toContain(' # kept\n');
    await expect(ann.call('create_page', { title: 'No', template: 'plain' })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'template' },
    });
  });
});
