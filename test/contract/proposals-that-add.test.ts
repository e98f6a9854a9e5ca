/** Review: several who add to one page do not stand in each other's way. */
import { expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, agentOf, create, propose, read } from '../support/review.ts';
import { useSluice } from '../support/sluice-home.ts';

const LOG = '# Log\n\n- First.\n\n# Rest\n\nBelow.\n';

onEachStore('adding', (under) => {
  const sluice = useSluice(under);

  const accept = (proposal: string, more: Answer = {}): Promise<Answer> =>
    sluice.call('accept_proposal', { proposal, ...more });
  const contentOf = async (page: string): Promise<unknown> => (await read(sluice, page)).content;
  const append = (page: string, text: string, more: Answer = {}) => ({
    page,
    edits: [{ op: 'append', text, ...more }],
  });

  it('[PROP-09] two that append both land, in the order they are accepted in', async () => {
    const page = await create(sluice, 'Appended', 'One.\n');
    const agent = agentOf(sluice);
    const first = await propose(agent, 'edit_page', append(page.id, 'Two.'));
    const second = await propose(agent, 'edit_page', append(page.id, 'Three.'));
    expect(await agent.call('read_page', { page: page.id, view: 'mine' })).toMatchObject({
      content: 'One.\n\nTwo.\n\nThree.\n',
      pending: { proposals: [first, second], left_out: [] },
    });
    await accept(second);
    expect((await sluice.call('read_proposal', { proposal: first })).text).toMatchObject({
      moved_on: true,
      overlaps: false,
      conflicts: [],
      landing_diff: expect.stringContaining('+Two.'),
    });
    await accept(first);
    expect(await contentOf(page.id)).toBe('One.\n\nThree.\n\nTwo.\n');
  });

  it('[PROP-09] beside a block, wherever that stands with the others that wait', async () => {
    const page = await create(sluice, 'Shifted', 'One.\n\nTwo.\n');
    const agent = agentOf(sluice);
    const { blocks } = await agent.call('list_blocks', { page: page.id });
    const block = (blocks as { id: string }[])[0]?.id;
    const ids = [
      await propose(agent, 'edit_page', { page: page.id, edits: [{ op: 'prepend', text: 'Before them.' }] }),
      await propose(agent, 'edit_page', {
        page: page.id,
        edits: [{ op: 'insert_after', block, text: 'Half.' }],
      }),
    ];
    const content = 'Before them.\n\nOne.\n\nHalf.\n\nTwo.\n';
    expect(await agent.call('read_page', { page: page.id, view: 'mine' })).toMatchObject({
      content,
      pending: { proposals: ids, left_out: [] },
    });
    for (const id of ids) await accept(id);
    expect(await contentOf(page.id)).toBe(content);
  });

  it('[PROP-09] into a section that others added to, and with words of the author', async () => {
    const page = await create(sluice, 'Logged', LOG);
    const agent = agentOf(sluice);
    const add = (text: string) => propose(agent, 'edit_page', append(page.id, text, { section: 'Log' }));
    const [bot, edited] = [await add('- Bot.'), await add('- Other.')];
    await sluice.call('edit_page', append(page.id, '- Person.', { section: 'Log' }));
    await accept(bot);
    expect(await contentOf(page.id)).toBe('# Log\n\n- First.\n- Person.\n- Bot.\n\n# Rest\n\nBelow.\n');
    const { text, head_version } = await sluice.call('read_proposal', { proposal: edited, content: true });
    const { content } = text as { content: string };
    await accept(edited, { content: content.replace('Below.', 'Mine.'), version: head_version });
    expect(await contentOf(page.id)).toBe(
      '# Log\n\n- First.\n- Person.\n- Bot.\n- Other.\n\n# Rest\n\nMine.\n',
    );
  });

  it('[PROP-09] tags and properties that are shown as fitting land as shown', async () => {
    const page = await create(sluice, 'Told', 'x\n');
    const agent = agentOf(sluice);
    const ids = [
      await propose(agent, 'tag_page', { page: page.id, tags: ['one'] }),
      await propose(agent, 'tag_page', { page: page.id, tags: ['two'] }),
      await propose(agent, 'set_properties', { page: page.id, properties: { size: 3 } }),
    ];
    const mine = await agent.call('read_page', { page: page.id, view: 'mine' });
    expect(mine.pending).toEqual({ proposals: ids, left_out: [] });
    for (const id of ids) {
      expect((await sluice.call('read_proposal', { proposal: id })).text).toMatchObject({ overlaps: false });
      await accept(id);
    }
    expect(await contentOf(page.id)).toBe(mine.content);
  });

  it('[PROP-09] a place that is gone is shown before, and a base that was given still counts', async () => {
    const page = await create(sluice, 'Reshaped', LOG);
    const agent = agentOf(sluice);
    const gone = await propose(agent, 'edit_page', append(page.id, '- Late.', { section: 'Log' }));
    const based = await propose(agent, 'edit_page', {
      ...append(page.id, 'End.'),
      base_version: page.version,
    });
    await sluice.call('update_page_content', {
      page: page.id,
      content: '# Rest\n\nBelow.\n\nOther end.\n',
      base_version: page.version,
    });
    for (const id of [gone, based]) {
      const { text } = await sluice.call('read_proposal', { proposal: id });
      expect(text).toMatchObject({ overlaps: true });
      await expect(accept(id)).rejects.toThrow();
    }
  });
});
