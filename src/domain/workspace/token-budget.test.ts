import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../../test/support/seed.ts';
import { splitBlocks } from './markdown/split-blocks.ts';
import { cutAt, estimateTokens } from './token-budget.ts';

describe('[PAGE-07] a budget of tokens', () => {
  it('counts four Latin characters as one and every other one as one', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('abcd')).toBe(1);
    expect(estimateTokens('abcde')).toBe(2);
    expect(estimateTokens('日本語')).toBe(3);
    expect(estimateTokens('Größe')).toBe(2);
    expect(estimateTokens('🚀')).toBe(2);
  });

  it('ends at the last edge that fits', () => {
    const text = 'aaaa'.repeat(3);
    expect(cutAt(text, 0, [4, 8, 12], 2)).toBe(8);
    expect(cutAt(text, 0, [4, 8, 12], 3)).toBe(12);
    expect(cutAt(text, 4, [4, 8, 12], 1)).toBe(8);
  });

  it('ends at a line where no edge fits, and between characters where no line does', () => {
    const lines = 'abcdefg\n'.repeat(100);
    const end = cutAt(lines, 0, [lines.length], 10);
    expect(lines[end - 1]).toBe('\n');
    expect(end).toBeLessThanOrEqual(40);
    const one = '🚀'.repeat(1_000);
    const cut = cutAt(one, 0, [one.length], 51);
    expect(one.slice(0, cut).isWellFormed()).toBe(true);
    expect(cut).toBeGreaterThan(0);
  });

  it('always gets on, keeps to the budget, and loses nothing, for any text', () => {
    const piece = fc.constantFrom(
      'word ',
      '\n',
      '\n\n',
      '# h\n',
      '日本',
      '🚀',
      'é',
      'x'.repeat(400),
      '- i\n',
      '\r\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 60 }), (pieces, budget) => {
        const text = pieces.join('');
        const edges = [...splitBlocks(text).map(({ end }) => end), text.length];
        const parts: string[] = [];
        for (let at = 0; at < text.length; ) {
          const end = cutAt(text, at, edges, budget);
          expect(end).toBeGreaterThan(at);
          const part = text.slice(at, end);
          expect(part.isWellFormed()).toBe(true);
          // A character of two halves may cost one more than there is.
          expect(estimateTokens(part)).toBeLessThanOrEqual(budget + 1);
          parts.push(part);
          at = end;
        }
        expect(parts.join('')).toBe(text);
      }),
      { seed: testSeed(), numRuns: 500 },
    );
  });
});
