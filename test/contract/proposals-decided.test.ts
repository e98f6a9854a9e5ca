/** Review: new pages, whole runs, and who decides about what when. */
import { describe, expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, agentOf, create, listed, propose, read, rewrite } from '../support/review.ts';
import { useSluice } from '../support/sluice-home.ts';

const THREE = 'One.\n\nTwo.\n\nThree.\n';

onEachStore('deciding', (under) => {
  const sluice = useSluice(under);

  const accept = (proposal: string, more: Answer = {}): Promise<Answer> =>
    sluice.call('accept_proposal', { proposal, ...more });
  const reject = (proposal: string, reason = 'no'): Promise<Answer> =>
    sluice.call('reject_proposal', { proposal, reason });

  describe('a new page of an agent', () => {
    it('[PROP-06][PROP-13] becomes canonical by a yes alone', async () => {
      const agent = agentOf(sluice);
      const page = await create(agent, 'Brought', 'x');
      expect(await listed(sluice, { page: page.id })).toMatchObject([
        { id: page.id, op: 'create_page', page: page.id, caller: 'bot', state: 'pending', expires_at: null },
      ]);
      const edited = await sluice.call('update_page_content', { page: page.id, content: 'xy' });
      expect(edited).toMatchObject({ lifecycle: 'candidate', origin: 'agent-produced' });
      await expect(accept(page.id, { version: page.version })).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'stale', version: edited.version },
      });
      await accept(page.id, { version: edited.version });
      expect(await read(sluice, page.id)).toMatchObject({
        lifecycle: 'canonical',
        origin: 'agent-produced',
        content: 'xy',
        version: edited.version,
        created_by: 'bot',
      });
      expect(await rewrite(agent, page, 'z')).toEqual(expect.any(String));
    });

    it('[PROP-13] waits for the new page above it', async () => {
      const agent = agentOf(sluice);
      const above = await create(agent, 'Above');
      const below = await create(agent, 'Below', '', { parent: above.id });
      await expect(accept(below.id)).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'parent', proposal: above.id },
      });
      await accept(above.id);
      await accept(below.id);
      expect(await read(sluice, below.id)).toMatchObject({ lifecycle: 'canonical' });
    });

    it('[PROP-18] goes to the trash by a no, and waits again when it is restored', async () => {
      const agent = agentOf(sluice);
      const above = await create(agent, 'Bad');
      const below = await create(agentOf(sluice, 'other'), 'Bad below', '', { parent: above.id });
      const { outcomes } = await reject(above.id, 'not now');
      expect(outcomes).toMatchObject([{ proposal: above.id, also: [below.id] }]);
      await expect(read(sluice, below.id)).rejects.toMatchObject({ code: 'not_found' });
      expect(await listed(sluice, { state: 'rejected', page: above.id })).toMatchObject([
        { id: above.id, note: 'not now', decided_by: 'owner', trashed: true },
      ]);
      await sluice.call('restore_page', { page: above.id });
      expect(await listed(sluice, { page: above.id })).toMatchObject([{ state: 'pending', note: null }]);
      await accept(above.id);
      await accept(below.id);
    });

    it('[PROP-18] is not thrown away under something canonical', async () => {
      const above = await create(agentOf(sluice), 'Holds');
      const kept = await create(sluice, 'Held', '', { parent: above.id });
      await expect(reject(above.id)).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'below', page: kept.id },
      });
      expect(await read(sluice, kept.id)).toMatchObject({ path: 'holds/held' });
    });
  });

  describe('a run', () => {
    it('[PROP-15] is accepted whole, with an outcome for each', async () => {
      const agent = agentOf(sluice, 'runner', 'all');
      const page = await create(sluice, 'In a run', THREE);
      const above = await create(agent, 'Run above');
      const below = await create(agent, 'Run below', '', { parent: above.id });
      const [one, two] = [
        await rewrite(agent, page, 'One!\n\nTwo.\n\nThree.\n'),
        await rewrite(agent, page, 'One?\n\nTwo.\n\nThree.\n'),
      ];
      const answer = await sluice.call('accept_proposal', { run: 'agent:runner/all' });
      expect(answer).toMatchObject({ accepted: 3, refused: 1, more: false });
      expect(answer.outcomes).toMatchObject([
        { proposal: above.id, outcome: 'accepted' },
        { proposal: below.id, outcome: 'accepted' },
        { proposal: one, outcome: 'accepted', page: page.id },
        { proposal: two, outcome: 'refused', error: { code: 'conflict', reason: 'overlap' } },
      ]);
      expect(await read(sluice, page.id)).toMatchObject({ content: 'One!\n\nTwo.\n\nThree.\n' });
      expect(await sluice.call('reject_proposal', { run: 'agent:runner/all' })).toMatchObject({
        rejected: 1,
        outcomes: [{ proposal: two }],
      });
      await expect(sluice.call('accept_proposal', { run: 'agent:runner/all' })).rejects.toMatchObject({
        code: 'not_found',
        details: { field: 'run' },
      });
    });

    it('[PROP-15] is decided in parts when it is long', async () => {
      const agent = agentOf(sluice, 'runner', 'long');
      for (let i = 0; i < 5; i += 1) await create(agent, `Long ${i}`);
      const decide = () => sluice.call('accept_proposal', { run: 'agent:runner/long', limit: 3 });
      expect(await decide()).toMatchObject({ accepted: 3, more: true });
      expect(await decide()).toMatchObject({ accepted: 2, more: false });
    });
  });

  describe('what becomes of the page meanwhile', () => {
    it('[PROP-16] a page in the trash is named as such, and can come back', async () => {
      const page = await create(sluice, 'Away', THREE);
      const id = await rewrite(agentOf(sluice), page, `${THREE}\nFour.\n`);
      const { batch } = await sluice.call('delete_page', { page: page.id });
      await expect(accept(id)).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'trashed', proposal: id },
      });
      expect(await listed(sluice, { page: page.id })).toMatchObject([{ id, trashed: true }]);
      await sluice.call('restore_page', { batch });
      await accept(id);
      expect(await read(sluice, page.id)).toMatchObject({ content: `${THREE}\nFour.\n` });
    });

    it('[PROP-17] what was not shown is not touched', async () => {
      const page = await create(sluice, 'Emptied');
      const id = await propose(agentOf(sluice), 'delete_page', { page: page.id });
      const late = await create(sluice, 'Came later', '', { parent: page.id });
      await expect(accept(id)).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'grown', page: late.id },
      });
      await sluice.call('move_page', { page: late.id, parent: null });
      const changed = await sluice.call('update_page_content', { page: page.id, content: 'Not empty.' });
      await expect(accept(id)).rejects.toMatchObject({
        code: 'conflict',
        details: { reason: 'overlap', pages: [{ page: page.id, version: changed.version }] },
      });
      await accept(id, { despite_changes: true });
      await expect(read(sluice, page.id)).rejects.toMatchObject({ code: 'not_found' });
      expect(await read(sluice, late.id)).toMatchObject({ path: 'came-later' });
    });
  });

  it('[PROP-18] a rejected change stays on record and changes nothing', async () => {
    const page = await create(sluice, 'Unwanted', THREE);
    const id = await rewrite(agentOf(sluice), page, 'x');
    expect(await reject(id, 'too short')).toMatchObject({ rejected: 1 });
    expect(await read(sluice, page.id)).toMatchObject({ version: page.version });
    const shown = await sluice.call('read_proposal', { proposal: id });
    expect(shown).toMatchObject({ state: 'rejected', note: 'too short', decided_by: 'owner' });
    expect(shown.text).toMatchObject({ diff: expect.stringContaining('+x') });
    await expect(accept(id)).rejects.toMatchObject({ details: { reason: 'rejected' } });
  });

  it('[PROP-19] only an author decides', async () => {
    const agent = agentOf(sluice);
    const page = await create(sluice, 'Guarded', THREE);
    const id = await rewrite(agent, page, 'x');
    const nearly = [
      { name: 'ed', role: 'editor', kind: 'author', origin: 'agent-produced' },
      { name: 'ed', role: 'editor', kind: 'agent', origin: 'authored' },
      { name: 'ed', role: 'editor', kind: 'client', origin: 'authored' },
      { name: 'ed', role: 'owner', kind: 'system', origin: 'authored' },
    ] as const;
    for (const caller of nearly)
      for (const tool of ['accept_proposal', 'reject_proposal'])
        await expect(sluice.as(caller).call(tool, { proposal: id })).rejects.toMatchObject({
          code: expect.stringMatching(/^(denied|unknown_tool)$/),
        });
    const without = sluice.as({
      name: 'ed',
      role: 'editor',
      kind: 'author',
      origin: 'authored',
      scopes: ['workspace.write'],
    });
    for (const caller of [agent, without])
      for (const tool of ['accept_proposal', 'reject_proposal'])
        await expect(caller.call(tool, { proposal: id })).rejects.toMatchObject({ code: 'unknown_tool' });
    expect(await listed(sluice, { page: page.id })).toMatchObject([{ id, state: 'pending' }]);
    await sluice
      .as({ name: 'ed', role: 'editor', kind: 'author', origin: 'authored' })
      .call('accept_proposal', { proposal: id });
  });
});
