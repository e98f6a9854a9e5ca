/** The timeline: everything once, in order, in parts. */
import { expect, it } from 'vitest';
import { createSluice } from '../../src/app/create-sluice.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Answer = Record<string, unknown>;

onEachStore('the timeline', (under) => {
  it('[HIST-03] has every event once, newest first, in parts of any size', async () => {
    if (!under.available()) return;
    const sluice = await createSluice({ home: temporaryFolder(), config: under.config() });
    try {
      const bot = sluice.as({ name: 'bot', run: 'one' });
      for (let i = 0; i < 25; i += 1)
        await (i % 3 === 0 ? bot : sluice).call('create_page', { title: `P ${i}`, content: 'x' });
      await sluice.call('rename_page', { page: 'p-1', title: 'Renamed' });
      const all = async (
        wish: Answer,
      ): Promise<{ sequence: number; kind: string; by: string; page: string }[]> => {
        const found = [];
        for (let cursor: unknown; ; ) {
          const part = await sluice.call('get_timeline', {
            ...wish,
            ...(cursor !== undefined && { cursor }),
          });
          found.push(...(part.events as { sequence: number; kind: string; by: string; page: string }[]));
          cursor = part.next_cursor;
          if (cursor === undefined) return found;
        }
      };
      const whole = await all({ limit: 100 });
      const newest = whole[0]?.sequence ?? 0;
      expect(whole.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: newest }, (_, i) => newest - i),
      );
      for (const limit of [1, 7]) expect(await all({ limit })).toEqual(whole);
      expect(await all({ caller: 'bot' })).toEqual(whole.filter(({ by }) => by === 'bot'));
      expect(await all({ run: 'client:bot/one', limit: 4 })).toHaveLength(9);
      expect(await all({ kinds: ['page_renamed'] })).toMatchObject([
        { kind: 'page_renamed', title: 'Renamed' },
      ]);
      const { id } = await sluice.call('read_page', { page: 'renamed' });
      expect(await all({ page: 'renamed' })).toEqual(whole.filter(({ page }) => page === id));
      expect(await all({ since: '2999-01-01T00:00:00Z' })).toEqual([]);
      expect(await all({ since: '2000-01-01T00:00:00+02:00' })).toEqual(whole);
      expect(await all({ since: '2000-01-01' })).toEqual(whole);
      expect(await all({ since: '30d' })).toEqual(whole);
      await expect(all({ since: 'garbage' })).rejects.toMatchObject({
        code: 'invalid_input',
        details: { field: 'since' },
        message: expect.stringContaining('a date such as'),
      });
      await expect(sluice.call('get_timeline', { cursor: 'x' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    } finally {
      await sluice.close();
    }
  });
});
