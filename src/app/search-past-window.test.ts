import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice } from './create-sluice.ts';

const sluice = await createSluice({ home: temporaryFolder() });
afterAll(() => sluice.close());

it('[SEM-12] a page that came early for its meaning does not come again for its words, windows later', async () => {
  const filler = 'Boats and ships sail in, tie up at the pier and leave again. '.repeat(12);
  for (const title of ['Quay', 'Pier', 'Dock'])
    await sluice.call('create_page', { title, content: `${filler} plenty` });
  await sluice.call('reindex_search', {});
  for (let i = 0; i < 420; i += 30)
    await Promise.all(
      Array.from({ length: 30 }, (_, j) =>
        sluice.call('create_page', { title: `Heap ${i + j}`, content: 'plenty plenty' }),
      ),
    );
  const seen: { title: string; why: readonly string[]; score: number }[] = [];
  for (let cursor: unknown; ; ) {
    const answer = await sluice.call('search', { query: 'plenty vessels', limit: 100, cursor });
    expect(answer.mode).toBe('hybrid');
    seen.push(...(answer.results as typeof seen));
    cursor = answer.next_cursor;
    if (cursor === undefined) break;
  }
  const titles = seen.map(({ title }) => title);
  expect([titles.length, new Set(titles).size]).toEqual([423, 423]);
  const early = seen.slice(0, 200).filter(({ title }) => !title.startsWith('Heap'));
  expect(early.length).toBeGreaterThan(0);
  for (const { why } of early) expect(why).toContain('meaning');
  expect(seen.map(({ score }) => score)).toEqual(seen.map(({ score }) => score).toSorted((a, b) => b - a));
});
