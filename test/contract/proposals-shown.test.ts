/** Review: what an author sees of what waits. */
import { expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, agentOf, create, listed, rewrite } from '../support/review.ts';
import { useSluice } from '../support/sluice-home.ts';

const THREE = 'One.\n\nTwo.\n\nThree.\n';

onEachStore('what waits', (under) => {
  const sluice = useSluice(under);

  const reject = (proposal: string, reason = 'no'): Promise<Answer> =>
    sluice.call('reject_proposal', { proposal, reason });

  it('[PROP-20] lists by state, run, page and caller, newest first, in parts', async () => {
    const [ann, bob] = [agentOf(sluice, 'ann', 'l1'), agentOf(sluice, 'bob', 'l2')];
    const page = await create(sluice, 'Listed', THREE);
    const ids = [
      await rewrite(ann, page, 'a'),
      await rewrite(bob, page, 'b'),
      await rewrite(ann, page, 'c'),
      (await create(ann, 'Listed new')).id,
    ];
    const of = async (input: Answer) => (await listed(ann, input)).map(({ id }) => id);
    expect(await of({ page: 'listed' })).toEqual([ids[2], ids[1], ids[0]]);
    expect(await of({ run: 'agent:ann/l1' })).toEqual([ids[3], ids[2], ids[0]]);
    expect(await of({ caller: 'bob', page: page.id })).toEqual([ids[1]]);
    expect(await of({ caller: 'agent:bob', page: page.id })).toEqual([ids[1]]);
    await reject(ids[0] ?? '');
    expect(await of({ page: page.id, state: 'rejected' })).toEqual([ids[0]]);
    expect(await of({ page: page.id, state: 'all' })).toHaveLength(3);
    const first = await ann.call('list_proposals', { page: page.id, state: 'all', limit: 2 });
    const rest = await ann.call('list_proposals', { page: page.id, state: 'all', cursor: first.next_cursor });
    expect([...(first.proposals as Answer[]), ...(rest.proposals as Answer[])].map(({ id }) => id)).toEqual([
      ids[2],
      ids[1],
      ids[0],
    ]);
    expect(rest.next_cursor).toBeUndefined();
  });

  it('[PROP-21] shows what would come, from what, and whether it still fits', async () => {
    const source = await create(sluice, 'Read first', 'Fact.');
    const page = await create(sluice, 'Shown', THREE);
    const id = await rewrite(agentOf(sluice), page, 'One!\n\nTwo.\n\nThree.\n', {
      derived_from: [source.id],
    });
    const fresh = await sluice.call('read_proposal', { proposal: id, content: true });
    expect(fresh).toMatchObject({
      base_version: page.version,
      head_version: page.version,
      arguments: { page: page.id, base_version: page.version },
      text: {
        diff: '@@ -1,4 +1,4 @@\n-One.\n+One!\n \n Two.\n ',
        moved_on: false,
        overlaps: false,
        content: 'One!\n\nTwo.\n\nThree.\n',
      },
      sources: [{ page: source.id, version: source.version, changed_since: false }],
    });
    await sluice.call('update_page_content', { page: source.id, content: 'Fact.\n\nMore.' });
    await sluice.call('update_page_content', { page: page.id, content: `${THREE}\nFour.\n` });
    expect(await sluice.call('read_proposal', { proposal: id })).toMatchObject({
      text: { moved_on: true, overlaps: false, landing_diff: expect.stringContaining('+One!') },
      sources: [{ changed_since: true }],
    });
    await expect(sluice.call('read_proposal', { proposal: page.id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
