import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  goldenQueries,
  measureRecall,
  openToolSearch,
  type ToolSearcher,
} from '../../test/support/golden-tools.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { UNLIMITED } from '../../test/support/unlimited.ts';

let searcher: ToolSearcher;
beforeAll(async () => {
  searcher = await openToolSearch(temporaryFolder(), { ...UNLIMITED, 'search.embedder': 'none' });
});
afterAll(() => searcher?.close());

it('[TSET-07] finds what people ask for among the tools of real servers and our own', async () => {
  const { at1, at5, refused, missed } = await measureRecall(searcher, goldenQueries());
  expect(at5, missed.join('\n')).toBeGreaterThanOrEqual(0.9);
  expect(at1).toBeGreaterThanOrEqual(0.55);
  expect(refused).toBe(1);
});
