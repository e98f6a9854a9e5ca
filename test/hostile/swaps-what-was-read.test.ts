/** An agent lets its reviewer read something harmless and puts something else there before the yes. */
import { expect, it } from 'vitest';
import type { SluiceClient } from '../../src/app/create-sluice.ts';
import { onEachStore } from '../support/each-store.ts';
import { type Answer, agentOf, create, read } from '../support/review.ts';
import { useSluice } from '../support/sluice-home.ts';

onEachStore('a page that is swapped under the eyes of its reviewer', (under) => {
  const sluice = useSluice(under);

  const accept = (wish: Answer): Promise<Answer> => sluice.call('accept_proposal', wish);
  const show = (proposal: string): Promise<Answer> => sluice.call('read_proposal', { proposal });
  const swap = (by: SluiceClient, page: string, content: string): Promise<Answer> =>
    by.call('edit_page', { page, edits: [{ op: 'replace_text', find: 'Harmless.', text: content }] });

  it('[PROP-48] is not accepted, and is once it was read again or its version is given', async () => {
    const agent = agentOf(sluice);
    for (const look of [show, (page: string) => read(sluice, page)]) {
      const page = await create(agent, 'Swapped', 'Harmless.');
      await look(page.id);
      const { version } = await swap(agent, page.id, 'Harmful.');
      await expect(accept({ proposal: page.id })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('since you looked at it'),
        details: { reason: 'stale', version, seen: page.version },
      });
      expect(await read(agentOf(sluice), page.id)).toMatchObject({ lifecycle: 'candidate' });
      if (look === show) await show(page.id);
      await accept({ proposal: page.id, ...(look !== show && { version }) });
      expect(await read(agentOf(sluice), page.id)).toMatchObject({ lifecycle: 'canonical' });
    }
  });

  it('[PROP-48] is refused in a batch too, and keeps nothing else out', async () => {
    const agent = agentOf(sluice, 'swapper', 'batch');
    const [swapped, unread, same] = [
      await create(agent, 'In a batch', 'Harmless.'),
      await create(agent, 'Never read', 'Harmless.'),
      await create(agent, 'Read and left', 'Harmless.'),
    ];
    await show(swapped.id);
    await show(same.id);
    for (const page of [swapped, unread]) await swap(agent, page.id, 'Harmful.');
    const answer = await accept({ run: 'agent:swapper/batch' });
    expect(answer).toMatchObject({
      accepted: 2,
      refused: 1,
      outcomes: [
        { proposal: swapped.id, outcome: 'refused', error: { code: 'conflict', reason: 'stale' } },
        { proposal: unread.id, outcome: 'accepted' },
        { proposal: same.id, outcome: 'accepted' },
      ],
    });
  });

  it('[PROP-48] is refused however much that changes no text came after it', async () => {
    const agent = agentOf(sluice);
    const page = await create(agent, 'Worn down', 'Harmless.');
    await show(page.id);
    await swap(agent, page.id, 'Harmful.');
    for (let i = 0; i < 205; i += 1)
      await agent.call('update_page_metadata', { page: page.id, icon: i % 2 === 0 ? '🚀' : '🌊' });
    await expect(accept({ proposal: page.id })).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'stale', seen: page.version },
    });
    await show(page.id);
    await accept({ proposal: page.id });
  });

  it('[PROP-48] counts what the reviewer changed as known, and asks nobody who did not look', async () => {
    const agent = agentOf(sluice);
    const edited = await create(agent, 'Edited by its reviewer', 'Harmless.');
    await show(edited.id);
    await swap(sluice, edited.id, 'Better.');
    await accept({ proposal: edited.id });
    const mixed = await create(agent, 'Edited by both', 'Harmless.');
    await show(mixed.id);
    await swap(agent, mixed.id, 'Harmless. Harmful.');
    await swap(sluice, mixed.id, 'Better.');
    await expect(accept({ proposal: mixed.id })).rejects.toMatchObject({ details: { reason: 'stale' } });
    const unread = await create(agent, 'Taken on trust', 'Harmless.');
    await swap(agent, unread.id, 'Other.');
    await sluice
      .as({ name: 'ed', role: 'editor', kind: 'author', origin: 'authored', run: 'not-looked' })
      .call('accept_proposal', { proposal: unread.id });
  });
});
