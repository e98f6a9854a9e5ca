/** Review: what is said of a proposal is what somebody has to know to decide it, as things are when they look. */
import { expect, it } from 'vitest';
import type { SluiceClient } from '../../src/app/create-sluice.ts';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, agentOf, create, listed, propose, rewrite } from '../support/review.ts';
import { useSluice } from '../support/sluice-home.ts';

const THREE = 'One.\n\nTwo.\n\nThree.\n';

onEachStore('what is told', (under) => {
  const sluice = useSluice(under);

  const show = (proposal: string): Promise<Answer> => sluice.call('read_proposal', { proposal });
  const accept = (proposal: string): Promise<Answer> => sluice.call('accept_proposal', { proposal });
  const entryOf = async (id: string): Promise<Answer | undefined> =>
    (await listed(sluice)).find((one) => one.id === id);

  it('[PROP-29] whether it fits is worked out when somebody looks, in lists too', async () => {
    const page = await create(sluice, 'Fits', THREE);
    const id = await rewrite(agentOf(sluice), page, 'One!\n\nTwo.\n\nThree.\n');
    expect(await entryOf(id)).toMatchObject({ overlaps: false });
    const moved = await sluice.call('update_page_content', {
      page: page.id,
      content: 'One?\n\nTwo.\n\nThree.\n',
      base_version: page.version,
    });
    expect(await entryOf(id)).toMatchObject({ overlaps: true });
    expect(await show(id)).toMatchObject({ overlaps: true, text: { overlaps: true } });
    await expect(accept(id)).rejects.toMatchObject({ details: { reason: 'overlap' } });
    await sluice.call('update_page_content', { page: page.id, content: THREE, base_version: moved.version });
    expect(await entryOf(id)).toMatchObject({ overlaps: false });
    expect(await show(id)).toMatchObject({ overlaps: false, text: { overlaps: false } });
    const below = await create(sluice, 'Fits below', 'x', { parent: page.id });
    const deletion = await propose(agentOf(sluice), 'delete_page', { page: page.id });
    expect(await entryOf(deletion)).toMatchObject({ overlaps: false });
    await sluice.call('update_page_content', { page: below.id, content: 'xy' });
    expect(await entryOf(deletion)).toMatchObject({ overlaps: true });
    await accept(id);
    expect(await show(id)).toMatchObject({ state: 'accepted', overlaps: false });
  });

  it('[PROP-51] what would be removed is shown as it is now', async () => {
    const page = await create(sluice, 'Goes', 'Old line.\n');
    await create(sluice, 'Goes along', 'Stays as it was.\n', { parent: page.id });
    const id = await propose(agentOf(sluice), 'delete_page', { page: page.id });
    expect(await show(id)).toMatchObject({ pages: [{ diff: expect.stringContaining('-Old line.') }, {}] });
    const newer = { page: page.id, content: 'Old line.\n\nNew line of mine.\n' };
    await sluice.call('update_page_content', newer);
    expect(await show(id)).toMatchObject({
      overlaps: true,
      pages: [
        {
          removed: true,
          changed_since: true,
          lines_removed: 3,
          diff: expect.stringMatching(/-Old line\.\n-\n-New line of mine\./),
        },
        { removed: true, changed_since: false, diff: expect.stringContaining('-Stays as it was.') },
      ],
    });
  });

  it('[PROP-46] a file is told by name, digest and size, and long arguments are cut', async () => {
    const page = await create(sluice, 'With a file', 'x');
    const bytes = Buffer.alloc(200_000, 7).toString('base64');
    const id = await propose(agentOf(sluice), 'attach_file', { page: page.id, name: 'plan.bin', bytes });
    const shown = await show(id);
    expect(shown.summary).toBe(
      'Attach a file: "With a file" (name "plan.bin", 200000 bytes, media_type "application/octet-stream")',
    );
    expect(shown.arguments).toMatchObject({
      name: 'plan.bin',
      bytes: { digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), size: 200_000 },
    });
    expect(JSON.stringify(shown).length).toBeLessThan(3_000);
    await accept(id);
    const { files } = await sluice.call('list_attachments', {});
    const digest = (shown.arguments as { bytes: Answer }).bytes.digest;
    expect(files).toEqual(expect.arrayContaining([expect.objectContaining({ digest, size: 200_000 })]));
    const edits = Array.from({ length: 50 }, () => ({ op: 'append', text: 'word '.repeat(1_000) }));
    const long = await show(await propose(agentOf(sluice), 'edit_page', { page: page.id, edits }));
    expect(JSON.stringify(long.arguments).length).toBeLessThan(10_000);
    expect((long.arguments as { edits: unknown[] }).edits.at(-1)).toBe('… 30 more');
  });

  it('[PROP-46] pages are called by their titles, and an empty text has no lines', async () => {
    const shelf = await create(sluice, 'The shelf');
    const page = await create(sluice, 'On its way');
    const move = await propose(agentOf(sluice), 'move_page', { page: page.id, parent: shelf.id });
    expect((await entryOf(move))?.summary).toBe('Move a page: "On its way" (parent "The shelf")');
    const made = await create(agentOf(sluice), 'One line', 'One.');
    expect((await show(made.id)).text).toMatchObject({ lines_added: 1, lines_removed: 0 });
  });

  it('[PROP-47] memory is shown with the words that hold and the words that would', async () => {
    const fact = async (by: SluiceClient, body: string) =>
      (await by.call('memory_write', {
        tier: 'semantic',
        subject: 'tea',
        predicate: 'kind',
        body,
      })) as unknown as { id: string };
    const item = await fact(sluice, 'The tea is green.');
    const agent = agentOf(sluice, 'taster');
    const forget = await propose(agent, 'memory_forget', { ids: [item.id] });
    const forgetting = await show(forget);
    expect(forgetting).toMatchObject({
      summary: 'Forget: tea kind: "The tea is green."',
      pages: [],
      pages_total: 0,
      memories: [{ memory: item.id, title: 'tea kind', before: 'The tea is green.', after: null }],
    });
    const update = await propose(agent, 'memory_update', { id: item.id, body: 'The tea is black.' });
    expect(await show(update)).toMatchObject({
      summary: 'Change a memory: tea kind: "The tea is green." → "The tea is black."',
      memories: [{ before: 'The tea is green.', after: 'The tea is black.', changed_since: false }],
    });
    const candidate = (await fact(agent, 'The tea is white.')).id;
    expect(await show(candidate)).toMatchObject({
      overlaps: false,
      memories: [{ memory: candidate, before: 'The tea is green.', after: 'The tea is white.' }],
    });
    await fact(sluice, 'The tea is red.');
    expect(await show(candidate)).toMatchObject({
      overlaps: true,
      memories: [{ before: 'The tea is red.', after: 'The tea is white.', changed_since: true }],
    });
    expect(await entryOf(candidate)).toMatchObject({ overlaps: true });
  });

  it('[PROP-47][PROP-29] a change of memory that was meant for one version is shown as overtaken', async () => {
    const item = await sluice.call('memory_write', { tier: 'semantic', subject: 'pot', body: 'It is blue.' });
    const { version } = await sluice.call('memory_read', { id: item.id });
    const change = (more: Answer) =>
      propose(agentOf(sluice, 'taster'), 'memory_update', { id: item.id, confidence: 0.5, ...more });
    const [strict, loose] = [await change({ if_match: version }), await change({})];
    for (const id of [strict, loose])
      expect(await show(id)).toMatchObject({ overlaps: false, memories: [{ changed_since: false }] });
    await sluice.call('memory_update', { id: item.id, pinned: true });
    expect(await show(strict)).toMatchObject({ overlaps: true, memories: [{ changed_since: true }] });
    expect(await entryOf(strict)).toMatchObject({ overlaps: true });
    expect(await show(loose)).toMatchObject({ overlaps: false, memories: [{ changed_since: true }] });
    await expect(accept(strict)).rejects.toMatchObject({ code: 'conflict', details: { reason: 'version' } });
    await accept(loose);
  });

  it('[PROP-47] memory that is for one agent alone is not told to others', async () => {
    const agent = agentOf(sluice, 'keeper');
    const own = await agent.call('memory_write', {
      tier: 'semantic',
      scope: 'agent',
      subject: 'hidden thing',
      body: 'Words for one.',
    });
    await accept(String(own.id));
    const id = await propose(agent, 'memory_forget', { ids: [own.id] });
    const told = await agentOf(sluice, 'other').call('read_proposal', { proposal: id });
    expect(JSON.stringify(told)).not.toMatch(/Words for one|hidden thing/);
    expect(await show(id)).toMatchObject({ memories: [{ before: 'Words for one.', after: null }] });
  });
});
