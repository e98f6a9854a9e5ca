import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText, foldWithMap, sourceRange } from './fold.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });
/** Letters, marks and signs that meet in real text, more often than chance would have them. */
const mixedText = fc
  .array(fc.constantFrom(...'aZéßİıΣςЙё กน้ำがｶﾞ한글ﬁ①½™ﷺ\u0301\u0308\u200d\u00ad\u064e\u05b8👍🏽'), {
    maxLength: 40,
  })
  .map((characters) => characters.join(''));

describe('foldText', () => {
  it.each([
    ['Café', 'CAFE\u0301'],
    ['straße', 'STRASSE'],
    ['İstanbul', 'istanbul'],
    ['ısı', 'ISI'],
    ['ΛΌΓΟΣ', 'λόγος'],
    ['Ёлка', 'елка'],
    ['Łódź', 'lodz'],
    ['smørrebrød', 'Smorrebrod'],
    ['Đường', 'duong'],
    ['Œuvre', 'oeuvre'],
    ['Ｈｅｌｌｏ', 'hello'],
    ['ｶﾞｲﾄﾞ', 'ガイド'],
    ['\u1112\u1161\u11ab', '한'],
    ['ﬁnal', 'final'],
    ['co\u00adoperate', 'cooperate'],
    ['مُحَمَّد', 'محمد'],
    ['مـحـمد', 'محمد'],
    ['أحمد', 'احمد'],
    ['שָׁלוֹם', 'שלום'],
    ['don’t – “now”', 'don\'t - "now"'],
  ])('reads %s and %s as the same', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it.each([
    ['กา', 'ก้า'],
    ['हिन्दी', 'हन्दी'],
    ['はし', 'ばし'],
    ['a ≠ b', 'a = b'],
    ['Sluice™', 'SluiceTM'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  it('drops what goes beyond the marks of any language instead of ordering them all', () => {
    expect(foldText(`z${'\u0315\u0300'.repeat(5000)}`)).toBe('z');
    expect(foldText(`ก${'\u0315\u0300'.repeat(5000)}`).length).toBeLessThan(64);
  });

  it('folds folded text to itself', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, mixedText), (text) => {
        const once = foldText(text);
        expect(foldText(once)).toBe(once);
      }),
    );
  });

  it('composes Hangul as NFKC does on the whole text', () => {
    const jamo = fc.array(fc.constantFrom(...'가각ᄀ\u1161\u11a8ㄱㅏㄳㅄﾡￂￃᄒ하'), { maxLength: 12 });
    fc.assert(
      fc.property(jamo, (letters) => {
        expect(foldText(letters.join(''))).toBe(letters.join('').normalize('NFKC'));
      }),
    );
  });
});

describe('foldWithMap', () => {
  it('gives the same text as foldText, with a place in the source for each unit', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, mixedText), (source) => {
        const folded = foldWithMap(source);
        expect(folded.text).toBe(foldText(source));
        expect(folded.starts.length).toBe(folded.text.length);
        let last = 0;
        for (const [index, start] of folded.starts.entries()) {
          const end = folded.ends[index] ?? 0;
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(source.length);
          expect(foldText(source.slice(start, end))).toContain(folded.text[index]);
          last = start;
        }
      }),
    );
  });

  it('leads from a folded range back to what was written', () => {
    const source = 'Die STRAẞE im Cafe\u0301';
    const folded = foldWithMap(source);
    const at = (word: string): string => {
      const from = folded.text.indexOf(word);
      return source.slice(...sourceRange(folded, from, from + word.length));
    };
    expect(at('strasse')).toBe('STRAẞE');
    expect(at('cafe')).toBe('Cafe\u0301');
    expect(at('im')).toBe('im');
  });

  it('has room for characters that fold to many', () => {
    expect(foldWithMap('ﷺ'.repeat(50)).starts.length).toBe(foldText('ﷺ').length * 50);
  });
});
