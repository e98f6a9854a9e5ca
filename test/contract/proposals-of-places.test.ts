/** Review: a title, a place or a file that somebody changed after another was proposed is not overwritten unseen. */
import { describe, expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, agentOf, create, listed, propose, read } from '../support/review.ts';
import { useSluice } from '../support/sluice-home.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

onEachStore('titles, places and files in review', (under) => {
  const sluice = useSluice(under);

  const show = (proposal: string): Promise<Answer> => sluice.call('read_proposal', { proposal });
  const accept = (proposal: string, more: Answer = {}): Promise<Answer> =>
    sluice.call('accept_proposal', { proposal, ...more });
  const entryOf = async (id: string): Promise<Answer | undefined> =>
    (await listed(sluice)).find((one) => one.id === id);

  async function expectClash(id: string, fact: Answer): Promise<void> {
    expect(await entryOf(id)).toMatchObject({ overlaps: true });
    expect(await show(id)).toMatchObject({ overlaps: true, facts: [{ ...fact, overlaps: true }] });
    await expect(accept(id)).rejects.toMatchObject({ code: 'conflict', details: { reason: 'overlap' } });
  }

  it('[PROP-49] a page that got another title since keeps it, unless that is meant', async () => {
    const page = await create(sluice, 'Draft plan', 'x');
    const id = await propose(agentOf(sluice), 'rename_page', { page: page.id, title: 'Plan of the bot' });
    const fact = { page: page.id, what: 'title', before: 'Draft plan', after: 'Plan of the bot' };
    expect(await show(id)).toMatchObject({
      overlaps: false,
      facts: [{ ...fact, now: 'Draft plan', overlaps: false }],
    });
    await sluice.call('rename_page', { page: page.id, title: 'My plan' });
    await expectClash(id, { ...fact, now: 'My plan' });
    await expect(accept(id)).rejects.toMatchObject({ message: expect.stringContaining('My plan') });
    const [run] = [String((await entryOf(id))?.run)];
    expect(await sluice.call('accept_proposal', { run })).toMatchObject({
      accepted: 0,
      outcomes: [{ outcome: 'refused', error: { reason: 'overlap' } }],
    });
    expect(await read(sluice, page.id)).toMatchObject({ title: 'My plan' });
    await accept(id, { despite_changes: true });
    expect(await read(sluice, page.id)).toMatchObject({ title: 'Plan of the bot' });
  });

  it('[PROP-49] what was renamed to the same, or back again, is no conflict', async () => {
    for (const titles of [['Alike two'], ['Elsewhere', 'Alike one']]) {
      const page = await create(sluice, 'Alike one', 'x');
      const id = await propose(agentOf(sluice), 'rename_page', { page: page.id, title: 'Alike two' });
      for (const title of titles) await sluice.call('rename_page', { page: page.id, title });
      expect(await entryOf(id)).toMatchObject({ overlaps: false });
      await accept(id);
      expect(await read(sluice, page.id)).toMatchObject({ title: 'Alike two' });
      await sluice.call('delete_page', { page: page.id });
    }
  });

  it('[PROP-49] so does one that got another icon', async () => {
    const page = await create(sluice, 'With an icon', 'x');
    const id = await propose(agentOf(sluice), 'update_page_metadata', { page: page.id, icon: '🚀' });
    await sluice.call('update_page_metadata', { page: page.id, icon: '🌱' });
    await expectClash(id, { what: 'icon', before: null, now: '🌱', after: '🚀' });
  });

  describe('[PROP-49] a page that came to another place since stays there', () => {
    it('below another page', async () => {
      const [to, elsewhere] = [await create(sluice, 'Of the bot'), await create(sluice, 'Of mine')];
      const page = await create(sluice, 'Wanders', 'x');
      const id = await propose(agentOf(sluice), 'move_page', { page: page.id, parent: to.id });
      await sluice.call('move_page', { page: page.id, parent: elsewhere.id });
      await expectClash(id, { what: 'parent', before: null, now: 'of-mine', after: 'of-the-bot' });
      await accept(id, { despite_changes: true });
      expect(await read(sluice, page.id)).toMatchObject({ path: 'of-the-bot/wanders' });
    });

    it('[PROP-53] and one whose new parent came below it, or is gone, is told to be impossible', async () => {
      const page = await create(sluice, 'Upper', 'x');
      const [to, gone] = [await create(sluice, 'Lower'), await create(sluice, 'Gone')];
      const agent = agentOf(sluice);
      const below = await propose(agent, 'move_page', { page: page.id, parent: to.id });
      const nowhere = await propose(agent, 'move_page', { page: page.id, parent: gone.id });
      expect((await show(below)).facts).toMatchObject([expect.not.objectContaining({ impossible: true })]);
      await sluice.call('move_page', { page: to.id, parent: page.id });
      await sluice.call('delete_page', { page: gone.id });
      for (const id of [below, nowhere]) {
        expect(await entryOf(id)).toMatchObject({ overlaps: true });
        expect(await show(id)).toMatchObject({
          overlaps: true,
          facts: [{ what: 'parent', overlaps: false, impossible: true }],
        });
        await expect(accept(id)).rejects.toThrow();
      }
    });

    it('among the same ones', async () => {
      const shelf = await create(sluice, 'Row');
      const [, , page] = [
        await create(sluice, 'Row a', '', { parent: shelf.id }),
        await create(sluice, 'Row b', '', { parent: shelf.id }),
        await create(sluice, 'Row c', '', { parent: shelf.id }),
      ];
      const place = { page: page.id, parent: shelf.id };
      const id = await propose(agentOf(sluice), 'move_page', { ...place, position: 0 });
      expect(await entryOf(id)).toMatchObject({ overlaps: false });
      await sluice.call('move_page', { ...place, position: 1 });
      await expectClash(id, { what: 'position' });
      await sluice.call('move_page', { page: page.id, parent: null });
      expect(await entryOf(id)).toMatchObject({ overlaps: true });
      await expect(accept(id)).rejects.toMatchObject({ details: { reason: 'overlap' } });
    });
  });

  describe('[PROP-49] a file that lies there by now is not replaced or taken away', () => {
    const attach = (page: string, text: string, more: Answer = {}) => ({
      page,
      name: 'numbers.txt',
      bytes: base64(text),
      media_type: 'text/plain',
      replace: true,
      ...more,
    });
    const textAt = async (path: string): Promise<string> => {
      const { bytes } = await sluice.call('read_attachment', { path });
      return Buffer.from(String(bytes), 'base64').toString();
    };

    it('by one that was proposed for the one before it', async () => {
      const page = await create(sluice, 'Has numbers', '[[numbers.txt]]');
      const { path } = await sluice.call('attach_file', attach(page.id, 'old'));
      const id = await propose(agentOf(sluice), 'attach_file', attach(page.id, 'of the bot'));
      expect(await entryOf(id)).toMatchObject({ overlaps: false });
      await sluice.call('attach_file', attach(page.id, 'mine, newer'));
      await expectClash(id, { what: 'file', path });
      expect(await textAt(String(path))).toBe('mine, newer');
      await accept(id, { despite_changes: true });
      expect(await textAt(String(path))).toBe('of the bot');
    });

    it('[PROP-52] and can be looked at before the yes, from its bytes or by its digest', async () => {
      const page = await create(sluice, 'To be looked at', 'x');
      const agent = agentOf(sluice);
      const sent = await propose(agent, 'attach_file', attach(page.id, 'look at me'));
      const expected = {
        path: expect.stringMatching(/numbers\.txt$/),
        media_type: 'text/plain',
        size: 10,
        parts: 1,
        bytes: base64('look at me'),
      };
      expect(await sluice.call('read_attachment', { proposal: sent })).toMatchObject(expected);
      const { digest } = await sluice.call('read_attachment', { proposal: sent });
      expect((await show(sent)).arguments).toMatchObject({ bytes: { digest } });
      const { blobs } = await sluice.call('upload_blobs', { blobs: [base64('kept')] });
      const blob = (blobs as Answer[])[0]?.digest;
      const named = { page: page.id, name: 'kept.txt', media_type: 'text/plain', blob };
      const kept = await propose(agent, 'attach_file', named);
      for (const reader of [sluice, agent])
        expect(await reader.call('read_attachment', { proposal: kept })).toMatchObject({
          digest: blob,
          bytes: base64('kept'),
        });
      await expect(
        agentOf(sluice, 'another').call('read_attachment', { proposal: kept }),
      ).rejects.toMatchObject({ code: 'not_found' });
      const rename = await propose(agent, 'rename_page', { page: page.id, title: 'No file' });
      for (const proposal of [rename, 'nothing'])
        await expect(sluice.call('read_attachment', { proposal })).rejects.toMatchObject({
          code: 'not_found',
          details: { field: 'proposal' },
        });
      for (const wrong of [{}, { path: 'x', proposal: sent }])
        await expect(sluice.call('read_attachment', wrong)).rejects.toMatchObject({
          code: 'invalid_input',
          details: { field: 'path' },
        });
      expect((await sluice.call('list_attachments', { under: page.id })).files).toEqual([]);
    });

    it('because another was to be taken away', async () => {
      const page = await create(sluice, 'Loses numbers', '[[lost.txt]]');
      const name = { name: 'lost.txt' };
      const { path } = await sluice.call('attach_file', attach(page.id, 'old', name));
      const id = await propose(agentOf(sluice), 'detach_file', { path });
      await sluice.call('attach_file', attach(page.id, 'newer', name));
      await expectClash(id, { what: 'file', path, after: null });
      expect(await textAt(String(path))).toBe('newer');
    });
  });
});
