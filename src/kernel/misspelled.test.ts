import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../test/support/seed.ts';
import { slipsBetween, wordsNear } from './misspelled.ts';

describe('[SEM-14] a misspelled word', () => {
  it.each([
    ['harobur', ['harbour', 'hardback'], ['harbour']],
    ['lantrn', ['lantern', 'latin'], ['lantern']],
    ['enviroment', ['enrolment', 'environment'], ['environment']],
    ['word', ['ward', 'word'], ['word', 'ward']],
    ['zebra', ['lion'], []],
    ['card', ['cart', 'care', 'cord', 'yards'], ['care', 'cart', 'cord']],
  ])('%s may be a known word that is near, the nearest first', (word, known, near) => {
    expect(wordsNear(word, known).map((one) => one.word)).toEqual(near);
  });

  it('is as far from a word as the word from it, and no farther than the slips that were made', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcde'), minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(letters, fc.nat(20), fc.constantFrom('a', 'x', ''), (word, at, letter) => {
        const i = at % word.length;
        const slipped = word.slice(0, i) + letter + word.slice(i + 1);
        expect(slipsBetween(word, slipped, 5)).toBeLessThanOrEqual(1);
        expect(slipsBetween(word, slipped, 5)).toBe(slipsBetween(slipped, word, 5));
        expect(slipsBetween(word, word, 2)).toBe(0);
      }),
      { seed: testSeed() },
    );
  });
});
