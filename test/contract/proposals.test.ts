/** Review: what agents propose, and what authors make of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import {
  type Answer,
  agentOf,
  create,
  historyOf,
  listed,
  propose,
  read,
  rewrite,
} from '../support/review.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const THREE = 'One.\n\nTwo.\n\nThree.\n';

onEachStore('review', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice;
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home, config: under.config() });
  });
  afterAll(async () => {
    await sluice?.close();
    if (under.available()) await expectConsistent(home, under.config());
  });

  const accept = (proposal: string, more: Answer = {}): Promise<Answer> =>
    sluice.call('accept_proposal', { proposal, ...more });
  const reject = (proposal: string, reason = 'no'): Promise<Answer> =>
    sluice.call('reject_proposal', { proposal, reason });

  describe('a change to canonical content', () => {
    it('[PROP-01] is kept and does not land', async () => {
      const page = await create(sluice, 'Kept', THREE);
      const before = await read(sluice, page.id);
      const answer = await agentOf(sluice).call('update_page_content', {
        page: 'kept',
        content: 'One!\n\nTwo.\n\nThree.\n',
        base_version: page.version,
      });
      expect(answer).toEqual({
        proposal: expect.objectContaining({
          state: 'pending',
          op: 'update_page_content',
          page: page.id,
          title: 'Kept',
          overlaps: false,
          base_version: page.version,
          change: expect.objectContaining({ lines_added: 1, lines_removed: 1, diff: '-One.\n+One!' }),
        }),
      });
      expect(await read(sluice, page.id)).toEqual(before);
      expect((await sluice.call('search', { query: 'Kept' })).results).toHaveLength(1);
      expect((await historyOf(sluice, page.id)).map(({ kind }) => kind)).toEqual([
        'change_proposed',
        'page_created',
      ]);
    });

    it.each([
      ['update_page_metadata', { icon: '🚀' }, { icon: '🚀' }],
      ['update_page_metadata', { title: 'Other title' }, { title: 'Other title' }],
      ['rename_page', { title: 'Renamed' }, { title: 'Renamed', slug: 'renamed' }],
      ['move_page', { parent: 'shelf' }, { path: 'shelf/tool' }],
    ])('[PROP-02] by %s with %j lands when it is accepted', async (tool, input, expected) => {
      await create(sluice, 'Shelf');
      const page = await create(sluice, 'Tool', 'x');
      const before = await read(sluice, page.id);
      const id = await propose(agentOf(sluice), tool, { page: page.id, ...input });
      expect(await read(sluice, page.id)).toEqual(before);
      await accept(id);
      expect(await read(sluice, page.id)).toMatchObject({ ...expected, origin: 'authored', content: 'x' });
      for (const one of [page.id, 'shelf']) await sluice.call('delete_page', { page: one });
    });

    it('[PROP-02] by deleting, restoring or undoing lands when it is accepted', async () => {
      const agent = agentOf(sluice);
      const page = await create(sluice, 'To go');
      const below = await create(sluice, 'Goes along', '', { parent: page.id });
      await accept(await propose(agent, 'delete_page', { page: page.id }));
      await expect(read(sluice, below.id)).rejects.toMatchObject({ code: 'not_found' });
      await accept(await propose(agent, 'restore_page', { page: page.id }));
      expect(await read(sluice, below.id)).toMatchObject({ parent: page.id });
      const { change } = await sluice.call('rename_page', { page: page.id, title: 'Gone astray' });
      await accept(await propose(agent, 'undo_change', { change }));
      expect(await read(sluice, page.id)).toMatchObject({ title: 'To go' });
    });

    it('[PROP-03] that could not land is refused at once', async () => {
      const agent = agentOf(sluice);
      const page = await create(sluice, 'Sound', THREE);
      const below = await create(sluice, 'Sound below', '', { parent: page.id });
      for (const [tool, input, code] of [
        ['update_page_content', { content: 'x' }, 'conflict'],
        ['update_page_content', { content: 'x', base_version: 'v1.none' }, 'not_found'],
        ['update_page_content', { content: 'x', if_match: below.version }, 'conflict'],
        [
          'update_page_content',
          { content: 'x', base_version: page.version, derived_from: ['nowhere'] },
          'not_found',
        ],
        ['move_page', { parent: below.id }, 'conflict'],
        ['rename_page', { title: ' ' }, 'invalid_input'],
      ] as const)
        await expect(agent.call(tool, { page: page.id, ...input })).rejects.toMatchObject({ code });
      expect(await listed(sluice, { page: page.id, state: 'all' })).toEqual([]);
    });

    it('[PROP-03] that is none, or only asked about, is answered', async () => {
      const agent = agentOf(sluice);
      const page = await create(sluice, 'Unmoved', THREE);
      expect(await agent.call('update_page_content', { page: page.id, content: THREE })).toMatchObject({
        changed: false,
      });
      expect(await agent.call('rename_page', { page: page.id, title: 'Moved', dry_run: true })).toMatchObject(
        { changed: false, slug: 'moved' },
      );
      expect(await read(sluice, page.id)).toMatchObject({ title: 'Unmoved', version: page.version });
      expect(await listed(sluice, { page: page.id, state: 'all' })).toEqual([]);
    });

    it('[PROP-04] goes on meaning the same page', async () => {
      const page = await create(sluice, 'Named', THREE);
      const id = await propose(agentOf(sluice), 'update_page_content', {
        page: 'named',
        content: `${THREE}\nFour.\n`,
      });
      await sluice.call('rename_page', { page: page.id, title: 'Named otherwise' });
      const trap = await create(sluice, 'Named', THREE);
      await accept(id);
      expect(await read(sluice, page.id)).toMatchObject({ content: `${THREE}\nFour.\n` });
      expect(await read(sluice, trap.id)).toMatchObject({ content: THREE });
    });

    it('[PROP-05] is kept once for one key', async () => {
      const agent = agentOf(sluice);
      const page = await create(sluice, 'Twice', THREE);
      const wish = { page: page.id, content: 'One.\n', base_version: page.version, idempotency_key: 'k' };
      const first = await agent.call('update_page_content', wish);
      expect(await agent.call('update_page_content', wish)).toEqual(first);
      expect(await listed(sluice, { page: page.id })).toHaveLength(1);
    });
  });

  describe('accepting', () => {
    it('[PROP-10] shows who wrote it and who let it in', async () => {
      const agent = agentOf(sluice, 'scribe', 'story');
      const source = await create(sluice, 'Source of it', 'Fact.');
      const page = await create(sluice, 'Written', THREE);
      const id = await rewrite(agent, page, `${THREE}\nFour.\n`, { derived_from: [source.id] });
      expect(await accept(id)).toMatchObject({ accepted: 1, outcomes: [{ proposal: id, page: page.id }] });
      expect(await read(sluice, page.id)).toMatchObject({
        origin: 'authored',
        updated_by: 'scribe',
        derived_from: [{ page: source.id, version: source.version }],
      });
      const [yes, change] = await historyOf(sluice, page.id);
      expect(change).toMatchObject({
        kind: 'content_changed',
        by: 'scribe',
        run: 'agent:scribe/story',
        tool: 'update_page_content',
        origin: 'agent-produced',
        details: { accepted: { by: 'owner', proposal: id } },
      });
      expect(yes).toMatchObject({
        kind: 'proposal_accepted',
        by: 'owner',
        tool: 'accept_proposal',
        details: { proposal: id, proposed_by: 'scribe' },
      });
      expect((change as Answer).call).not.toBe((yes as Answer).call);
    });

    it('[PROP-11] keeps what happened since', async () => {
      const page = await create(sluice, 'Moved on', THREE);
      const first = await rewrite(agentOf(sluice), page, 'One!\n\nTwo.\n\nThree.\n');
      const second = await rewrite(agentOf(sluice), page, 'One.\n\nTwo.\n\nThree!\n');
      await sluice.call('update_page_content', {
        page: page.id,
        content: 'One.\n\nTwo?\n\nThree.\n',
        base_version: page.version,
      });
      await accept(second);
      await accept(first);
      expect(await read(sluice, page.id)).toMatchObject({ content: 'One!\n\nTwo?\n\nThree!\n' });
    });

    it('[PROP-11] is a conflict where both changed the same, and lands nothing', async () => {
      const page = await create(sluice, 'Contested', THREE);
      const id = await rewrite(agentOf(sluice), page, 'One of the agent.\n\nTwo!\n\nThree.\n');
      const mine = await sluice.call('update_page_content', {
        page: page.id,
        content: 'One of the author.\n\nTwo.\n\nThree.\n',
        base_version: page.version,
      });
      await expect(accept(id)).rejects.toMatchObject({
        code: 'conflict',
        details: {
          reason: 'overlap',
          version: mine.version,
          conflicts: [{ base: 'One.\n\n', head: 'One of the author.\n\n', yours: 'One of the agent.\n\n' }],
        },
      });
      expect(await read(sluice, page.id)).toMatchObject({ version: mine.version });
      expect(await listed(sluice, { page: page.id })).toMatchObject([{ id, state: 'pending' }]);
    });

    it('[PROP-11] is a conflict also for what overlapped when it was proposed', async () => {
      const page = await create(sluice, 'Late', THREE);
      await sluice.call('update_page_content', {
        page: page.id,
        content: 'One of the author.\n\nTwo.\n\nThree.\n',
        base_version: page.version,
      });
      const { proposal } = await agentOf(sluice).call('update_page_content', {
        page: page.id,
        content: 'One of the agent.\n\nTwo.\n\nThree.\n',
        base_version: page.version,
      });
      expect(proposal).toMatchObject({ overlaps: true, base_version: page.version });
      const { id } = proposal as { id: string };
      await expect(accept(id)).rejects.toMatchObject({ details: { reason: 'overlap' } });
      const shown = await sluice.call('read_proposal', { proposal: id });
      expect(shown.text).toMatchObject({ overlaps: true, conflicts: [{ base: 'One.\n\n' }] });
      const edited = 'One of both.\n\nTwo.\n\nThree.\n';
      await accept(id, { content: edited, version: shown.head_version });
      expect(await read(sluice, page.id)).toMatchObject({ content: edited });
    });

    it('[PROP-12] with edits keeps both hands apart', async () => {
      const page = await create(sluice, 'Edited', THREE);
      const id = await rewrite(agentOf(sluice), page, 'One by agent.\n\nTwo by agent.\n\nThree.\n');
      const content = 'One by agent.\n\nTwo by author.\n\nThree.\n';
      await accept(id, { content });
      expect(await read(sluice, page.id)).toMatchObject({ content, updated_by: 'owner' });
      const changes = (await historyOf(sluice, page.id)).filter(({ kind }) => kind === 'content_changed');
      expect(changes.map(({ by, origin }) => [by, origin])).toEqual([
        ['owner', 'authored'],
        ['bot', 'agent-produced'],
      ]);
      const { before_version: version } = changes[0] as { before_version: string };
      expect(await sluice.call('read_page', { page: page.id, version })).toMatchObject({
        content: 'One by agent.\n\nTwo by agent.\n\nThree.\n',
      });
    });

    it('[PROP-12] with edits made for another text is refused', async () => {
      const page = await create(sluice, 'Edited late', THREE);
      const id = await rewrite(agentOf(sluice), page, `${THREE}\nFour.\n`);
      const moved = await sluice.call('update_page_content', { page: page.id, content: `Zero.\n\n${THREE}` });
      for (const version of [undefined, page.version])
        await expect(accept(id, { content: 'x', version })).rejects.toMatchObject({
          code: 'conflict',
          details: { reason: 'stale', version: moved.version },
        });
    });

    it('[PROP-14] happens once', async () => {
      const page = await create(sluice, 'Once', THREE);
      const id = await rewrite(agentOf(sluice), page, `${THREE}\nFour.\n`);
      await accept(id);
      const after = await read(sluice, page.id);
      for (const again of [accept(id), reject(id)])
        await expect(again).rejects.toMatchObject({ code: 'conflict', details: { reason: 'accepted' } });
      expect(await read(sluice, page.id)).toEqual(after);
    });
  });

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
