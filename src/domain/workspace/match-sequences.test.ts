import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../../test/support/seed.ts';
import { matchSequences } from './match-sequences.ts';

const longest = (a: readonly string[], b: readonly string[]): number => {
  const row = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    let diagonal = 0;
    for (const [j, other] of b.entries()) {
      const above = row[j + 1] ?? 0;
      row[j + 1] = item === other ? diagonal + 1 : Math.max(above, row[j] ?? 0);
      diagonal = above;
    }
  }
  return row.at(-1) ?? 0;
};

describe('matchSequences', () => {
  const items = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 });

  it('pairs equal items in order, as many as there can be', () => {
    fc.assert(
      fc.property(items, items, (a, b) => {
        const pairs = matchSequences(a, b);
        for (const [i, j] of pairs) expect(a[i]).toBe(b[j]);
        for (const [n, [i, j]] of pairs.entries()) {
          const before = pairs[n - 1];
          if (before) expect(i > before[0] && j > before[1]).toBe(true);
        }
        expect(pairs).toHaveLength(longest(a, b));
      }),
      { seed: testSeed(), numRuns: 500 },
    );
  });

  it('finds what stayed in long sequences by what occurs once', () => {
    const a = Array.from({ length: 20_000 }, (_, i) => `line ${i}`);
    const b = a.flatMap((line, i) => (i % 5 === 0 ? [`new ${i}`] : i % 7 === 0 ? [] : [line]));
    const pairs = matchSequences(a, b);
    expect(pairs).toHaveLength(b.filter((line) => line.startsWith('line')).length);
    for (const [i, j] of pairs) expect(a[i]).toBe(b[j]);
  });

  it('bears sequences as long as a page can have lines', () => {
    const many = new Array<string>(1_000_000).fill('x');
    expect(matchSequences(many, ['new', ...many])).toHaveLength(1_000_000);
    expect(matchSequences(['old', ...many], many)).toHaveLength(1_000_000);
    expect(matchSequences(many, many)).toHaveLength(1_000_000);
  });
});
