/** Review: what agents propose, and how it lands. */
import { describe, expect, it } from 'vitest';
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
import { useSluice } from '../support/sluice-home.ts';

const THREE = 'One.\n\nTwo.\n\nThree.\n';

onEachStore('review', (under) => {
  const sluice = useSluice(under);

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

    it('[PROP-50] after a conflict begins from the text of the page, with both where both changed it', async () => {
      const page = await create(sluice, 'Marked', '---\nstate: old\n---\n\nOne.\n\nTwo.\n\nThree.\n');
      const id = await rewrite(
        agentOf(sluice),
        page,
        '---\nstate: old\n---\n\nOne of the bot.\n\nTwo.\n\nThree of the bot.\n',
      );
      await sluice.call('update_page_content', {
        page: page.id,
        content: '---\nstate: new\n---\n\nOne of mine.\n\nTwo of mine.\n\nThree.\n',
        base_version: page.version,
      });
      const shown = await sluice.call('read_proposal', { proposal: id, content: true });
      const { content } = shown.text as { content: string };
      expect(content).toBe(
        [
          '---\nstate: new\n---\n\n<<<<<<< the page as it is now\nOne of mine.\n=======\nOne of the bot.\n',
          '>>>>>>> proposed by bot\n\nTwo of mine.\n\nThree of the bot.\n',
        ].join(''),
      );
      const before = await read(sluice, page.id);
      const half = content.replace('<<<<<<< the page as it is now\n', '');
      for (const undecided of [content, half, content.replaceAll('\n', '\r\n')])
        await expect(accept(id, { content: undecided, version: shown.head_version })).rejects.toMatchObject({
          code: 'invalid_input',
          details: { field: 'content' },
        });
      expect(await read(sluice, page.id)).toEqual(before);
      const decided = content.replace(/<<<<<<<.*>>>>>>> proposed by bot\n/s, 'One of both.\n');
      await accept(id, { content: decided, version: shown.head_version });
      expect(await read(sluice, page.id)).toMatchObject({
        content: '---\nstate: new\n---\n\nOne of both.\n\nTwo of mine.\n\nThree of the bot.\n',
      });
      const writers = (await historyOf(sluice, page.id)).filter(({ kind }) => kind === 'content_changed');
      expect(writers.map(({ by }) => by)).toEqual(['owner', 'bot', 'owner']);
    });

    it('[PROP-50] also where the place of an edit is gone', async () => {
      const page = await create(sluice, 'Place gone', '# Here\n\nOne.\n\n# There\n\nTwo.\n');
      const id = await propose(agentOf(sluice), 'edit_page', {
        page: page.id,
        edits: [{ op: 'append', section: 'Here', text: 'More.' }],
      });
      await sluice.call('update_page_content', {
        page: page.id,
        content: '# Now\n\nOne.\n\n# There\n\nTwo of mine.\n',
        base_version: page.version,
      });
      const shown = await sluice.call('read_proposal', { proposal: id, content: true });
      const content = '# Now\n\nOne.\n\nMore.\n\n# There\n\nTwo of mine.\n';
      expect(shown.text).toMatchObject({ overlaps: true, content });
      await accept(id, { content, version: shown.head_version });
      expect(await read(sluice, page.id)).toMatchObject({ content, updated_by: 'bot' });
    });

    it('[PROP-50] a page that shows such marks itself can be accepted with edits', async () => {
      const marks = '```\n<<<<<<< the page as it is now\na\n=======\nb\n>>>>>>> proposed by bot\n```\n';
      const page = await create(sluice, 'About marks', marks);
      const id = await rewrite(agentOf(sluice), page, `${marks}\nMore.\n`);
      await accept(id, { content: `${marks}\nMore of mine.\n` });
      expect(await read(sluice, page.id)).toMatchObject({ content: `${marks}\nMore of mine.\n` });
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

    it('[PROP-11] is refused where the page is not the version that the author looked at', async () => {
      const page = await create(sluice, 'Looked at', 'One.\n\nTwo.\n\nThree.\n');
      const id = await rewrite(agentOf(sluice), page, 'One!\n\nTwo.\n\nThree.\n');
      const now = await sluice.call('edit_page', { page: page.id, edits: [{ op: 'append', text: 'Four.' }] });
      await expect(
        sluice.call('accept_proposal', { proposal: id, version: page.version }),
      ).rejects.toMatchObject({ code: 'conflict', details: { reason: 'stale', version: now.version } });
      await sluice.call('accept_proposal', { proposal: id, version: now.version });
      expect(await read(sluice, page.id)).toMatchObject({ content: 'One!\n\nTwo.\n\nThree.\n\nFour.\n' });
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
      await expect(accept(id, { content: 'x' })).rejects.toThrow('"version" must be given');
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
});
