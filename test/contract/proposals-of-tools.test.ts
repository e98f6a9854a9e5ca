/** Every tool that changes a page can be proposed and accepted, without anything in the tool for it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, agentOf, create, propose, read } from '../support/review.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TEXT = '# Old heading\n\nOne #old.\n\nTwo.\n';

onEachStore('tools in review', (under) => {
  let sluice: Sluice;
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home: temporaryFolder(), config: under.config() });
  });
  afterAll(() => sluice?.close());

  const changes: readonly [tool: string, input: Answer, expected: Answer][] = [
    [
      'edit_page',
      { edits: [{ op: 'replace_text', find: 'Two.', text: 'Three.' }] },
      { content: TEXT.replace('Two', 'Three') },
    ],
    [
      'set_properties',
      { properties: { status: 'done' } },
      { properties: expect.objectContaining({ status: 'done' }) },
    ],
    ['tag_page', { tags: ['fresh'] }, { tags: expect.arrayContaining(['fresh']) }],
    [
      'rename_heading',
      { section: 'Old heading', title: 'New heading' },
      { content: TEXT.replace('Old', 'New') },
    ],
  ];

  it.each(changes)('[PROP-02] %s with %j', async (tool, input, expected) => {
    const page = await create(sluice, `By ${tool}`, TEXT);
    const before = await read(sluice, page.id);
    const id = await propose(agentOf(sluice), tool, { page: page.id, ...input });
    expect(await read(sluice, page.id)).toEqual(before);
    await sluice.call('accept_proposal', { proposal: id });
    expect(await read(sluice, page.id)).toMatchObject({ ...expected, origin: 'authored', updated_by: 'bot' });
  });

  it('[PROP-11] what cannot be merged and was meant for one text lands on that, or not at all', async () => {
    const page = await create(sluice, 'Strict', TEXT);
    const wish = { page: page.id, properties: { status: 'done' } };
    const strict = await propose(agentOf(sluice), 'set_properties', { ...wish, if_match: page.version });
    const lax = await propose(agentOf(sluice), 'set_properties', wish);
    await sluice.call('update_page_content', { page: page.id, content: `${TEXT}\nMore.\n` });
    await expect(sluice.call('accept_proposal', { proposal: strict })).rejects.toMatchObject({
      code: 'conflict',
    });
    await sluice.call('accept_proposal', { proposal: lax });
    expect(await read(sluice, page.id)).toMatchObject({ content: expect.stringContaining('More.') });
  });
});
