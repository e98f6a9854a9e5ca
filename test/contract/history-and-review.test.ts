/** History where review comes in: whose accepted text is, and what undoing makes of proposals. */
import { expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, agentOf, create, listed, propose, read, rewrite } from '../support/review.ts';
import { useSluice } from '../support/sluice-home.ts';

onEachStore('history and review', (under) => {
  const sluice = useSluice(under);

  const accept = (proposal: string, more: Answer = {}): Promise<Answer> =>
    sluice.call('accept_proposal', { proposal, ...more });
  const undo = (run: string, more: Answer = {}): Promise<Answer> => sluice.call('undo_run', { run, ...more });
  const writers = async (page: string): Promise<string[]> => {
    const { blocks } = await sluice.call('get_provenance', { page, blocks: true });
    return (blocks as { origin: string; written_by: { actor: string; accepted_by?: string }[] }[]).map(
      ({ origin, written_by }) =>
        [origin, ...written_by.map(({ actor, accepted_by }) => `${actor}/${accepted_by ?? ''}`)].join(' '),
    );
  };
  const pending = async (run: string): Promise<number> =>
    (await listed(sluice, { run, state: 'pending' })).length;

  it('[HIST-19] accepted text is its proposer’s and names who let it in', async () => {
    if (!under.available()) return;
    const page = await create(sluice, 'Accepted', 'One of mine.\n\nTwo of mine.\n');
    const bot = agentOf(sluice, 'bot', 'accepted');
    const id = await rewrite(bot, page, 'One of mine.\n\nTwo of mine, improved.\n\nThree of the bot.\n');
    await accept(id);
    expect(await writers(page.id)).toEqual([
      'authored owner/',
      'mixed bot/owner owner/',
      'agent-produced bot/owner',
    ]);
    const { document } = await sluice.call('export_provenance', { page: page.id });
    expect(Object.values((document as Record<string, Answer>).wasAssociatedWith ?? {})).toContainEqual(
      expect.objectContaining({ 'prov:agent': 'sluice:agent/owner', 'prov:role': 'accepted' }),
    );
  });

  it('[HIST-19] what the author made of it is the author’s', async () => {
    if (!under.available()) return;
    const page = await create(sluice, 'Edited', 'One of mine.\n');
    const id = await rewrite(agentOf(sluice), page, 'One of mine.\n\nThree words by bot.\n');
    await accept(id, { content: 'One of mine.\n\nThree words by bot.\n\nAnd one of the author.\n' });
    expect(await writers(page.id)).toEqual([
      'authored owner/',
      'agent-produced bot/owner',
      'authored owner/',
    ]);
  });

  it('[PROP-54] what the author took out or bent with the yes comes back by no undoing of the author’s run', async () => {
    if (!under.available()) return;
    const page = await create(sluice, 'Turned down', 'One of mine.\n\nTwo of mine.\n');
    const wanted = 'One of mine, bent by bot.\n\nTwo of mine.\n\nKept of bot.\n\nUnwanted of bot.\n';
    const id = await rewrite(agentOf(sluice, 'bot', 'turned-down'), page, wanted);
    const reviewer = sluice.as({ name: 'rev', role: 'editor', kind: 'author', origin: 'authored', run: 'r' });
    const content = 'One of mine.\n\nTwo of mine.\n\nKept of bot.\n\nAdded by the reviewer.\n';
    await reviewer.call('accept_proposal', { proposal: id, content });
    const done = await undo('author:rev/r');
    expect(await read(sluice, page.id)).toMatchObject({ content });
    expect(JSON.stringify(done)).toContain('undo the run that proposed it');
  });

  it('[PROP-54] nor what a new page said before the author edited it with the yes', async () => {
    if (!under.available()) return;
    const made = await agentOf(sluice, 'bot', 'new').call('create_page', {
      title: 'New and edited',
      content: 'Unwanted of bot.\n',
    });
    const reviewer = sluice.as({ name: 'rev', role: 'editor', kind: 'author', origin: 'authored', run: 'n' });
    await reviewer.call('accept_proposal', { proposal: made.id, content: 'As it should be.\n' });
    await undo('author:rev/n');
    expect(await read(sluice, String(made.id))).toMatchObject({ content: 'As it should be.\n' });
  });

  it('[HIST-19] and its proposer’s part names the tool that was called, however it landed', async () => {
    if (!under.available()) return;
    const page = await create(sluice, 'Edited by tool', 'One of mine.\n');
    const edits = [{ op: 'append', text: '\nThree words by bot.\n' }];
    const id = await propose(agentOf(sluice), 'edit_page', { page: page.id, edits });
    await accept(id, { content: 'One of mine.\n\nThree words by bot.\n\nAnd one of the author.\n' });
    const { events } = await sluice.call('get_page_history', { page: page.id });
    const landed = (events as { kind: string; by: string; tool: string }[])
      .filter(({ kind }) => kind === 'content_changed')
      .map(({ by, tool }) => [by, tool]);
    expect(landed).toEqual([
      ['owner', 'accept_proposal'],
      ['bot', 'edit_page'],
    ]);
  });

  it('[HIST-29] sources are named by the titles of their pages', async () => {
    if (!under.available()) return;
    const source = await create(sluice, 'A source with a name', 'One.\n');
    const made = await create(agentOf(sluice), 'Made of it', 'Two.\n', { derived_from: [source.id] });
    expect(await sluice.call('get_provenance', { page: made.id })).toMatchObject({
      sources: [{ page: source.id, title: 'A source with a name' }],
    });
  });

  it('[HIST-20] undoing a run that only proposed withdraws what waits', async () => {
    if (!under.available()) return;
    const page = await create(sluice, 'Only proposed', 'One.\n');
    const bot = agentOf(sluice, 'bot', 'wishes');
    await rewrite(bot, page, 'One!\n');
    await propose(bot, 'rename_page', { page: page.id, title: 'Other name' });
    const candidate = await create(bot, 'A candidate', 'x');
    const run = 'agent:bot/wishes';
    expect(await pending(run)).toBe(3);
    expect(await undo(run, { dry_run: true })).toMatchObject({ undone: 3, kept: 0 });
    expect(await pending(run)).toBe(3);
    const done = await undo(run);
    expect(done).toMatchObject({ undone: 3, kept: 0 });
    expect(await pending(run)).toBe(0);
    expect(await read(sluice, page.id)).toMatchObject({ content: 'One.\n', title: 'Only proposed' });
    await expect(read(sluice, candidate.id)).rejects.toMatchObject({ code: 'not_found' });
    await undo(String(done.undo_run));
    expect(await pending(run)).toBe(3);
    expect(await read(sluice, candidate.id)).toMatchObject({ lifecycle: 'candidate' });
  });

  it('[HIST-20] undoing a run takes back what was accepted of it', async () => {
    if (!under.available()) return;
    const page = await create(sluice, 'Was accepted', 'One of mine.\n\nTwo of mine.\n');
    const bot = agentOf(sluice, 'bot', 'accepted-then-undone');
    await accept(await rewrite(bot, page, 'One of mine.\n\nTwo of bot.\n'));
    const { version } = await read(sluice, page.id);
    await sluice.call('update_page_content', {
      page: page.id,
      content: 'One of mine, later.\n\nTwo of bot.\n',
      base_version: version,
    });
    expect(await undo('agent:bot/accepted-then-undone')).toMatchObject({ kept: 0 });
    expect(await read(sluice, page.id)).toMatchObject({ content: 'One of mine, later.\n\nTwo of mine.\n' });
    expect(await writers(page.id)).toEqual(['authored owner/', 'authored owner/']);
  });

  it('[HIST-21] what an agent wants undone or restored on canonical pages waits, and then lands', async () => {
    if (!under.available()) return;
    const page = await create(sluice, 'Waits', 'One of mine.\n');
    const bot = agentOf(sluice, 'bot', 'regrets');
    await accept(await rewrite(bot, page, 'One of bot.\n'));
    const wish = await propose(bot, 'undo_run', { run: 'agent:bot/regrets' });
    expect(await read(sluice, page.id)).toMatchObject({ content: 'One of bot.\n' });
    await accept(wish);
    expect(await read(sluice, page.id)).toMatchObject({ content: 'One of mine.\n' });
    const { version: head } = await read(sluice, page.id);
    const back = await propose(agentOf(sluice), 'restore_version', {
      page: page.id,
      version: page.version,
      if_match: head,
    }).catch((error: unknown) => String(error));
    // The text is the same already, so there is nothing to propose.
    expect(back).toContain('landed');
    const { version } = await sluice.call('update_page_content', {
      page: page.id,
      content: 'One of mine.\n\nMore.\n',
      base_version: head,
    });
    const restore = await propose(agentOf(sluice), 'restore_version', {
      page: page.id,
      version: page.version,
      if_match: version,
    });
    await accept(restore);
    expect(await read(sluice, page.id)).toMatchObject({ content: 'One of mine.\n' });
  });
});
