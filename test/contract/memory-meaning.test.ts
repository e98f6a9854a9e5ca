/** Memories found by what they mean, with the real embedder, on both stores. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { fact } from '../support/memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Answer, openIndexingApp, owner, type WholeApp } from '../support/whole-app.ts';

vi.setConfig({ testTimeout: 120_000 });

interface Found {
  readonly items: readonly { readonly body: string; readonly why: readonly string[] }[];
}

onEachStore('memory by meaning', (store) => {
  let whole: WholeApp;
  beforeAll(async () => {
    if (store.available()) whole = await openIndexingApp(temporaryFolder(), store.config());
  });
  afterAll(() => whole?.app.close());

  const call = async <T>(name: string, input: Answer): Promise<T> =>
    (await whole.call(owner, name, input)) as T;
  const search = (query: string): Promise<Found> =>
    call<Found>('memory_search', { query, tiers: ['semantic'] });

  it('[MEM-25] finds what has none of the words, after what has them, in its present words', async () => {
    await call('memory_write', fact('Cat', 'The kitten sleeps on the sofa.'));
    await call('memory_write', fact('Tax', 'Forms are due in April.'));
    const { id } = await call<{ id: string }>('memory_write', fact('Harbour', 'Vessels moor at the pier.'));
    const found = async (query: string) =>
      (await search(query)).items.filter(({ why }) => why.includes('meaning')).map(({ body }) => body);
    await expect
      .poll(() => found('small feline animal'), { timeout: 60_000, interval: 250 })
      .toContain('The kitten sleeps on the sofa.');
    expect((await search('forms')).items[0]).toMatchObject({
      body: 'Forms are due in April.',
      why: expect.arrayContaining(['words']),
    });
    expect(await found('where boats land')).toContain('Vessels moor at the pier.');
    await call('memory_forget', { ids: [id] });
    expect(await found('where boats land')).not.toContain('Vessels moor at the pier.');
  });
});
