/** Answers of memory stay within the budget they were given, whatever is in it. */
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { estimateTokens } from '../../src/domain/workspace/token-budget.ts';
import { onEachStore } from '../support/each-store.ts';
import { episode, fact, memoryOn, procedure } from '../support/memory.ts';
import { times } from '../support/random.ts';
import { testSeed } from '../support/seed.ts';

vi.setConfig({ testTimeout: 240_000 });

const text = (most: number) =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: most }),
      fc.constant('記憶の中の言葉'.repeat(20)),
    )
    .map((words) => `w ${words}`.replaceAll('\0', '').toWellFormed().slice(0, most).toWellFormed())
    .filter((words) => words.trim() !== '' && !words.includes('\uFFFD'));

const item = fc.oneof(
  fc.record({ subject: text(60), body: text(300) }).map(({ subject, body }) => fact(subject, body)),
  text(600).map((body) => episode(body)),
  fc
    .record({ name: text(60), body: text(2_000), description: text(190) })
    .map(({ name, body, description }) => procedure(name, body, { description })),
  text(1_500).map((body) => ({ tier: 'working', body })),
);

onEachStore('the budget of memory', (store) => {
  const memory = memoryOn(store);

  it('[MEM-13] is never exceeded, and every item comes once when one goes on', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 200, max: 3_000 }),
        fc.constantFrom('', 'w', '記憶'),
        async (items, budget, query) => {
          for (const one of items) await memory.write({ ...one });
          const context = await memory.owner().call('memory_context', { budget, query });
          expect(estimateTokens(JSON.stringify(context))).toBeLessThanOrEqual(budget);
          const seen: string[] = [];
          let cursor: string | undefined;
          do {
            const answer = await memory.search({ query, budget, ...(cursor !== undefined && { cursor }) });
            expect(estimateTokens(JSON.stringify(answer))).toBeLessThanOrEqual(budget);
            seen.push(...answer.items.map(({ id }) => id));
            cursor = answer.next_cursor;
          } while (cursor !== undefined && seen.length < 400);
          expect(new Set(seen).size).toBe(seen.length);
          const all = await memory.search({ query, budget: 100_000 });
          expect(seen).toEqual(all.items.map(({ id }) => id));
        },
      ),
      { numRuns: times(12, 150), seed: testSeed() },
    );
  });
});
