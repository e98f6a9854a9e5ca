/** Review: a yes that changes several pages is asked for with all of them in view. */
import { expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, agentOf, create, listed, propose } from '../support/review.ts';
import { useSluice } from '../support/sluice-home.ts';

onEachStore('a yes for many pages', (under) => {
  const sluice = useSluice(under);

  const show = (proposal: string, more: Answer = {}): Promise<Answer> =>
    sluice.call('read_proposal', { proposal, ...more });
  const summaryOf = async (id: string): Promise<unknown> =>
    (await listed(sluice)).find((one) => one.id === id)?.summary;

  it('[PROP-27] a tag that is renamed in three pages shows three diffs', async () => {
    const pages = [];
    for (const i of [0, 1, 2]) pages.push(await create(sluice, `Tagged ${i}`, `Word ${i} #manytag here.\n`));
    const agent = agentOf(sluice);
    const { proposal } = await agent.call('rename_tag', { from: 'manytag', to: 'other' });
    const { id, summary } = proposal as { id: string; summary: string };
    expect(summary).toBe('Rename a tag: "manytag" → "other", 3 pages');
    expect(await summaryOf(id)).toBe(summary);
    const shown = await show(id);
    expect(shown).toMatchObject({ pages_total: 3, pages_left: 0, more_follow: false });
    expect(shown.text).toMatchObject({ diff: expect.stringContaining('+Word 0 #other here.') });
    expect(shown.pages).toMatchObject([
      { page: pages[0]?.id, title: 'Tagged 0', removed: false, follows: false },
      {
        title: 'Tagged 1',
        lines_added: 1,
        lines_removed: 1,
        diff: expect.stringContaining('+Word 1 #other here.'),
      },
      { title: 'Tagged 2', diff: expect.stringContaining('-Word 2 #manytag here.'), changed_since: false },
    ]);
    await sluice.call('edit_page', { page: pages[2]?.id, edits: [{ op: 'append', text: 'More.' }] });
    expect((await show(id)).pages).toMatchObject([{}, { changed_since: false }, { changed_since: true }]);
  });

  it('[PROP-27] a page that goes shows what goes with it, and a new name the links that follow', async () => {
    const above = await create(sluice, 'Goes first', 'Text above.\n');
    for (const i of [0, 1]) await create(sluice, `Goes along ${i}`, `Text ${i}.\n`, { parent: above.id });
    const deletion = await propose(agentOf(sluice), 'delete_page', { page: above.id });
    expect(await summaryOf(deletion)).toBe('Delete a page: "Goes first", 3 pages');
    expect((await show(deletion)).pages).toMatchObject([
      { title: 'Goes first', removed: true, diff: expect.stringContaining('-Text above.') },
      { title: 'Goes along 0', removed: true, diff: expect.stringContaining('-Text 0.') },
      { title: 'Goes along 1', removed: true },
    ]);
    const named = await create(sluice, 'Known name');
    await create(sluice, 'Links one', 'See [[Known name]].\n');
    await create(sluice, 'Links two', 'Also [[Known name]].\n');
    const renaming = await propose(agentOf(sluice), 'rename_page', { page: named.id, title: 'Other name' });
    expect(await summaryOf(renaming)).toBe(
      'Rename a page: "Known name" (title "Other name"), links in 2 pages',
    );
    expect((await show(renaming)).pages).toMatchObject([
      { title: 'Known name', follows: false },
      { title: 'Links one', follows: true, diff: expect.stringContaining('+See [[Other name]].') },
      { title: 'Links two', follows: true },
    ]);
    await sluice.call('accept_proposal', { proposal: renaming });
    expect((await sluice.call('read_page', { page: 'links-two' })).content).toBe('Also [[Other name]].\n');
  });

  it('[PROP-17] a yes is not about pages that only follow, also with other arguments', async () => {
    const named = await create(sluice, 'Led to');
    const link = await create(sluice, 'Leads there', 'See [[Led to]].\n');
    const renaming = await propose(agentOf(sluice), 'rename_page', { page: named.id, title: 'Led on' });
    expect((await show(renaming)).pages).toMatchObject([{}, { page: link.id, follows: true }]);
    await expect(
      sluice.call('accept_proposal', { proposal: renaming, arguments: { page: link.id } }),
    ).rejects.toMatchObject({ code: 'conflict', details: { reason: 'grown', page: link.id } });
    expect(await sluice.call('read_page', { page: link.id })).toMatchObject({ title: 'Leads there' });
  });

  it('[PROP-27] what is hidden from whoever looks is neither shown nor counted', async () => {
    const named = await create(sluice, 'Open name', '#sharedtag');
    await create(sluice, 'Open link', 'See [[Open name]]. #sharedtag\n');
    const secret = await create(sluice, 'Secret link', 'See [[Open name]]. #sharedtag\n');
    const owners = agentOf(sluice, 'sees-all');
    const renaming = await propose(owners, 'rename_page', { page: named.id, title: 'Opened name' });
    const tagging = await propose(owners, 'rename_tag', { from: 'sharedtag', to: 'sharedtoo' });
    await sluice.call('grant_permission', {
      page: secret.id,
      subject_type: 'agent',
      subject: 'looker',
      level: 'hidden',
    });
    const looker = agentOf(sluice, 'looker');
    for (const [id, count] of [
      [renaming, 'links in 1 page'],
      [tagging, '2 pages'],
    ] as const) {
      const shown = await looker.call('read_proposal', { proposal: id });
      expect(shown).toMatchObject({ pages_total: 2, summary: expect.stringContaining(count) });
      expect(JSON.stringify(shown)).not.toContain(secret.id);
      expect(await show(id)).toMatchObject({ pages_total: 3 });
      expect((await listed(looker)).find((one) => one.id === id)?.summary).toBe(shown.summary);
    }
  });

  it('[PROP-28] parts of a long proposal are all of it', async () => {
    const long = (mark: string) =>
      Array.from({ length: 400 }, (_, i) => `${mark} line ${i} ${'x'.repeat(100)}`).join('\n');
    const page = await create(sluice, 'Long one', `${long('old')} #longtag\n`);
    const id = await propose(agentOf(sluice), 'update_page_content', {
      page: page.id,
      content: `${long('new')} #longtag\n`,
      base_version: page.version,
    });
    const all = (await show(id, { max_tokens: 100_000 })).text as { diff: string };
    expect(all.diff).toContain('+new line 399');
    const first = await show(id);
    expect(JSON.stringify(first).length).toBeLessThan(30_000);
    let [diff, cursor] = [(first.text as { diff: string }).diff, first.next_cursor];
    for (; cursor !== undefined; ) {
      const part = await show(id, { cursor });
      expect(part.pages).toEqual([]);
      diff += (part.text as { diff: string }).diff;
      cursor = part.next_cursor;
    }
    expect(diff).toBe(all.diff);
    await sluice.call('edit_page', { page: page.id, edits: [{ op: 'append', text: 'More.' }] });
    await expect(show(id, { cursor: first.next_cursor })).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'stale' },
    });
    for (let i = 0; i < 40; i += 1) await create(sluice, `Many ${i}`, `${i} #widetag\n`);
    const wide = await propose(agentOf(sluice), 'rename_tag', { from: 'widetag', to: 'wide' });
    const titles: unknown[] = [];
    let next: unknown;
    do {
      const part = await show(wide, { max_tokens: 1_000, ...(next !== undefined && { cursor: next }) });
      const named = (part.pages as Answer[]).map(({ title }) => title);
      expect(part.pages_left).toBe(40 - titles.length - named.length);
      titles.push(...named);
      next = part.next_cursor;
    } while (next !== undefined);
    expect(new Set(titles).size).toBe(40);
  });
});
