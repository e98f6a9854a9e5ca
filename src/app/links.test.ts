import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice } from './create-sluice.ts';

const sluice = await createSluice({ home: temporaryFolder() });
afterAll(() => sluice.close());

const create = async (title: string, content = '', parent: string | null = null) =>
  (await sluice.call('create_page', { title, content, parent })).id as string;

async function everyPart(
  tool: string,
  page: string,
): Promise<{ links: Record<string, unknown>[]; totals: unknown[] }> {
  const links: Record<string, unknown>[] = [];
  const totals: unknown[] = [];
  let cursor: unknown;
  do {
    const part: Record<string, unknown> = await sluice.call(tool, { page, cursor });
    links.push(...(part.links as Record<string, unknown>[]));
    totals.push(part.total);
    cursor = part.next_cursor;
  } while (cursor !== undefined);
  return { links, totals };
}

describe('[LINK-11] backlinks', () => {
  it('come in parts, each link once, with the sentence around it', async () => {
    const target = await create('Target');
    for (let i = 0; i < 30; i += 1) {
      await create(`From ${i}`, `Intro. One ${i} [[Target|shown]] here. Two ${i} ![[Target#Part]]!\n`);
    }
    const { links, totals } = await everyPart('get_backlinks', target);
    expect(links).toHaveLength(60);
    expect(new Set(totals)).toEqual(new Set([60]));
    const contexts = links.map(({ context }) => context as string);
    expect(new Set(contexts).size).toBe(60);
    expect(links[0]).toMatchObject({
      page: { title: expect.stringMatching(/^From/), path: expect.stringMatching(/^from-/) },
      context: expect.stringMatching(/^One \d+ \[\[Target\|shown\]\] here\.$/),
      embed: false,
      fragment: null,
      display: 'shown',
    });
    expect(links[1]).toMatchObject({ embed: true, fragment: 'Part', display: null });
  });

  it('of a page that nobody links to are none', async () => {
    await create('Lonely', '[[Lonely]]');
    expect(await sluice.call('get_backlinks', { page: 'lonely' })).toMatchObject({ total: 1 });
    await create('Lonelier');
    expect(await sluice.call('get_backlinks', { page: 'lonelier' })).toEqual({ links: [], total: 0 });
  });

  it('follow edits of the pages they stand in', async () => {
    const target = await create('Followed');
    const from = await sluice.call('create_page', { title: 'Follower', content: '[[Followed]]' });
    const changed = await sluice.call('update_page_content', {
      page: from.id,
      content: 'nothing',
      base_version: from.version,
    });
    expect((await sluice.call('get_backlinks', { page: target })).total).toBe(0);
    await sluice.call('update_page_content', {
      page: from.id,
      content: '[[Followed]] [[followed.md]]',
      base_version: changed.version,
    });
    expect((await sluice.call('get_backlinks', { page: target })).total).toBe(2);
  });

  it.each(['get_backlinks', 'get_outgoing_links'])(
    'of %s refuse a cursor that is not theirs',
    async (tool) => {
      await create(`Cursor of ${tool}`);
      await expect(sluice.call(tool, { page: `Cursor of ${tool}`, cursor: 'x' })).rejects.toMatchObject({
        code: 'invalid_input',
        details: { field: 'cursor' },
      });
    },
  );
});

describe('[LINK-12] outgoing links', () => {
  it('say what each means, or why it means nothing', async () => {
    const a = await create('fa');
    const b = await create('fb');
    await create('Twin', '', a);
    await create('Twin', '', b);
    const known = await create('Known');
    const gone = await create('Gone');
    const from = await create(
      'Sender',
      [
        'A [[Known#Part|shown]].',
        'B [[Nobody]].',
        'C [[Twin]].',
        'D [[Gone]].',
        'E [x](https://example.org).',
        'F [[#Here]].',
        'G ![[Known]].',
        '`[[Known]]`',
      ].join('\n\n'),
    );
    await sluice.call('delete_page', { page: gone });
    const { links } = await everyPart('get_outgoing_links', from);
    expect(links.map(({ status, written, context }) => [status, written, context])).toEqual([
      ['resolved', 'Known', 'A [[Known#Part|shown]].'],
      ['unresolved', 'Nobody', 'B [[Nobody]].'],
      ['ambiguous', 'Twin', 'C [[Twin]].'],
      ['trashed', 'Gone', 'D [[Gone]].'],
      ['external', 'https://example.org', 'E [x](https://example.org).'],
      ['self', '', 'F [[#Here]].'],
      ['resolved', 'Known', 'G ![[Known]].'],
    ]);
    expect(links[0]).toMatchObject({
      target: { id: known, path: 'known' },
      fragment: 'Part',
      display: 'shown',
    });
    expect(links[2]).toMatchObject({ candidates: [{ path: 'fa/twin' }, { path: 'fb/twin' }] });
    expect(links[2]).not.toHaveProperty('target');
    expect(links[3]).toMatchObject({ target: { id: gone } });
    expect(links[6]).toMatchObject({ embed: true });
  });

  it('come in parts, in the order of the text', async () => {
    const names = Array.from({ length: 120 }, (_, i) => `Nobody ${i}`);
    const from = await create('Many', names.map((name) => `[[${name}]]`).join('\n'));
    const { links, totals } = await everyPart('get_outgoing_links', from);
    expect(links.map(({ written }) => written)).toEqual(names);
    expect(totals).toEqual([120, 120, 120]);
  });
});
