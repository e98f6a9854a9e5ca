/** Every writer of one page takes the version it was meant for, and none drops it. */
import { expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, agentOf, create, propose, read } from '../support/review.ts';
import { useSluice } from '../support/sluice-home.ts';

const WRITES: readonly (readonly [string, Answer])[] = [
  ['delete_page', {}],
  ['move_page', { parent: null, position: 0 }],
  ['rename_page', { title: 'Renamed strictly' }],
  ['rename_heading', { section: 'Head', title: 'Tail' }],
  ['update_page_metadata', { icon: '🚀' }],
  ['update_page_content', { content: '# Head\n\nOther.\n' }],
  ['edit_page', { edits: [{ op: 'append', text: 'More.' }] }],
  ['set_properties', { properties: { size: 3 } }],
  ['tag_page', { tags: ['new'] }],
  ['untag_page', { tags: ['old'] }],
  ['attach_file', { name: 'a.txt', bytes: 'aGVsbG8=' }],
];

onEachStore('a strict write', (under) => {
  const sluice = useSluice(under);

  it.each(WRITES)('[MERGE-11] by %s lands on the version it names and on no other', async (tool, input) => {
    const page = await create(sluice, `Strict ${tool}`, '# Head\n\nText #old.\n');
    const now = await sluice.call('edit_page', { page: page.id, edits: [{ op: 'append', text: 'Since.' }] });
    for (const caller of [sluice, agentOf(sluice)])
      await expect(
        caller.call(tool, { page: page.id, ...input, if_match: page.version }),
      ).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'stale', version: now.version },
      });
    expect(await read(sluice, page.id)).toMatchObject({ version: now.version, title: `Strict ${tool}` });
    await sluice.call(tool, { page: page.id, ...input, if_match: now.version });
  });

  it('[MERGE-11] that was proposed is not carried out on another version, and says so before', async () => {
    const page = await create(sluice, 'Strictly proposed', 'x');
    const id = await propose(agentOf(sluice), 'rename_page', {
      page: page.id,
      title: 'Other',
      if_match: page.version,
    });
    await sluice.call('edit_page', { page: page.id, edits: [{ op: 'append', text: 'Since.' }] });
    expect(await sluice.call('read_proposal', { proposal: id })).toMatchObject({ overlaps: true });
    await expect(sluice.call('accept_proposal', { proposal: id })).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'stale' },
    });
  });

  it('[MERGE-11] that only adds and was proposed is shown as landing on no other version', async () => {
    const page = await create(sluice, 'Strictly tagged', 'x');
    const agent = agentOf(sluice);
    const id = await propose(agent, 'tag_page', { page: page.id, tags: ['strict'], if_match: page.version });
    await sluice.call('edit_page', { page: page.id, edits: [{ op: 'append', text: 'Since.' }] });
    expect(await sluice.call('read_proposal', { proposal: id })).toMatchObject({
      overlaps: true,
      text: { overlaps: true },
    });
    const mine = await agent.call('read_page', { page: page.id, view: 'mine' });
    expect(mine.pending).toEqual({ proposals: [], left_out: [id] });
  });
});
