/** Tries to hold everybody up by pages and queries that are as hard to index by meaning as can be. */
import { afterAll, expect, it } from 'vitest';
import { createSluice } from '../../src/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sluice = await createSluice({ home: temporaryFolder() });
afterAll(() => sluice.close());

/** One word without an end, marks without letters, brackets without a match, a table of nothing, every script at once. */
const BOMBS: Readonly<Record<string, string>> = {
  word: 'a'.repeat(20_000),
  marks: '\u0301'.repeat(9_000),
  brackets: '[['.repeat(800),
  table: '|'.repeat(1_500),
  headings: '# x\n'.repeat(100),
  joined: '👩‍👩‍👧‍👦'.repeat(100),
  scripts: '中ไทยखअабγ한あ'.repeat(80),
};

it('[SEM-17] indexes any page in bounded time beside other calls, and finds the others', {
  timeout: 240_000,
}, async () => {
  for (const [title, content] of Object.entries(BOMBS)) await sluice.call('create_page', { title, content });
  await sluice.call('create_page', { title: 'Harmless', content: 'Penguins walk over the ice to the sea.' });
  let answered = 0;
  let indexing = true;
  const others = (async () => {
    while (indexing) {
      await sluice.call('get_search_status');
      answered += 1;
    }
  })();
  for (let done: unknown = false; done !== true; )
    ({ done } = await sluice.call('reindex_search', { seconds: 60 }));
  indexing = false;
  await others;
  expect(answered).toBeGreaterThan(5);
  const { results } = await sluice.call('search', { query: 'antarctic birds', mode: 'semantic' });
  expect((results as { title: string }[])[0]?.title).toBe('Harmless');
});

it('[SEM-17] takes any query by meaning', async () => {
  for (const query of [
    '',
    ' ',
    '-',
    '"',
    '[CLS] [SEP] [MASK]',
    'x'.repeat(4_000),
    '"".repeat',
    '\u{1F468}\u200D',
  ])
    for (const mode of ['hybrid', 'semantic'])
      await expect(sluice.call('search', { query, mode })).resolves.toMatchObject({ meaning: 'ready' });
});
