import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../../../test/support/seed.ts';
import type { ProviderContent, ProviderResult } from '../result.ts';
import { textPage } from './read-answer.ts';
import { shortenStructure } from './shorten-structure.ts';
import { FIRST_BYTES, splitAnswer } from './split-answer.ts';

const LIMIT = 65_536;
const text = (words: string): ProviderContent => ({ type: 'text', text: words });
const result = (content: readonly ProviderContent[], structured?: ProviderResult['structured']) => ({
  content,
  structured,
  isError: false,
});

describe('[BLOB-01] an answer', () => {
  it('stays as it is where nothing of it is too long', () => {
    const short = result([text('a'.repeat(LIMIT))], { a: 1 });
    expect(splitAnswer(short, LIMIT)).toEqual({ shown: short, long: [] });
  });

  it('shows its beginning and keeps all of it, blocks joined', () => {
    const words = 'one line of text\n'.repeat(3_000);
    const { shown, long } = splitAnswer(result([text(words), text(words)]), LIMIT);
    expect(long.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['text', `${words}\n${words}`],
    ]);
    const [first] = shown.content;
    expect(first).toMatchObject({ type: 'text', text: expect.stringMatching(/^(one line of text\n)+$/) });
    expect(Buffer.byteLength(JSON.stringify(shown.content))).toBeLessThan(2 * FIRST_BYTES);
  });

  it('keeps large pictures apart, and puts words where they were', () => {
    const data = Buffer.alloc(400_000, 7).toString('base64');
    const image = { type: 'image', data, mimeType: 'image/png' } as const;
    const small = { ...image, data: 'AAAA' };
    const { shown, long } = splitAnswer(result([text('see'), image, small]), LIMIT);
    expect(shown.content).toEqual([text('see'), text(expect.stringContaining('"image-1"')), small]);
    expect(long).toMatchObject([{ name: 'image-1', mimeType: 'image/png' }]);
    expect(Buffer.from(long[0]?.bytes ?? []).toString('base64')).toBe(data);
  });

  it('keeps a large structure, and shows it shorter in the same shape', () => {
    const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, note: 'a note about the row' }));
    const { shown, long } = splitAnswer(result([], { rows, total: 5_000 }), LIMIT);
    expect(shown.structured).toEqual({ rows: rows.slice(0, 50), total: 5_000 });
    expect(long[0]).toMatchObject({ name: 'structure', mimeType: 'application/json' });
    expect(JSON.parse(Buffer.from(long[0]?.bytes ?? []).toString())).toEqual({ rows, total: 5_000 });
    const wide = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`field_${i}`, i]));
    expect(shortenStructure(wide, FIRST_BYTES)).toBeUndefined();
  });
});

it('[BLOB-02] pages of a text put together are the text, whatever their length', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 4, max: 50 }),
      (words, length) => {
        const bytes = Buffer.from(words);
        let [read, at] = ['', 0 as number | null];
        while (at !== null) {
          const page = textPage(bytes, at, length);
          expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(length);
          expect(page.text).not.toContain('\ufffd');
          read += page.text;
          at = page.next;
        }
        expect(read).toBe(words);
      },
    ),
    { seed: testSeed() },
  );
});

it('[BLOB-02] a page asked for inside of a character begins with the next one', () => {
  expect(textPage(Buffer.from('äöü'), 1, 4)).toEqual({ text: 'öü', offset: 2, next: null });
  expect(() => textPage(Buffer.from('ab'), 3, 4)).toThrow('at most 2');
});
