import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../../test/support/seed.ts';
import { checkTitle, freeSlug, nameKey, slugOf } from './names.ts';

const MAX_BYTES = 180;

describe('[PAGE-01] a slug', () => {
  it.each([
    ['Hello World', 'hello-world'],
    ['  Hello   World  ', 'hello-world'],
    ['snake_case and-dash', 'snake-case-and-dash'],
    ['Größe', 'größe'],
    ['日本語 ノート', '日本語-ノート'],
    ['Привет, мир!', 'привет,-мир!'],
    ['a.b.c', 'a.b.c'],
    ['C++ & Rust', 'c++-&-rust'],
    ['It’s “fine”', 'it’s-“fine”'],
  ])('of "%s" is "%s"', (title, slug) => expect(slugOf(title)).toBe(slug));

  it.each([...'#^[]|:\\/*?"<>%'])('holds no %s', (character) => {
    expect(slugOf(`a${character}b`)).toBe('a-b');
    expect(slugOf(character)).toBe('page');
  });

  it('is composed, whatever the title was', () => {
    const [composed, decomposed] = ['Caf\u00e9', 'Cafe\u0301'];
    expect(slugOf(decomposed)).toBe(slugOf(composed));
    expect(slugOf(decomposed)).toBe('caf\u00e9');
  });

  it('is lower case, also where that is two code points', () => {
    expect(slugOf('İstanbul')).toBe('i̇stanbul'.normalize('NFC'));
    expect(slugOf('STRASSE')).toBe('strasse');
    expect(slugOf('Straße')).toBe('straße');
  });

  it('keeps emoji', () => {
    expect(slugOf('🚀 Launch')).toBe('🚀-launch');
    expect(slugOf('📚')).toBe('📚');
  });

  it.each(['CON', 'prn', 'Aux', 'NUL', 'com1', 'LPT9', 'con.txt', 'Com1.notes.md', 'COM¹'])(
    'is no name that Windows keeps for itself: %s',
    (title) => {
      const [base] = slugOf(title).split('.');
      expect(base?.normalize('NFKC')).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/);
      expect(slugOf(title)).toContain('page');
    },
  );

  it.each(['0198c5c4-0000-7000-8000-0000000000ab', '0198C5C4 0000 7000 8000 0000000000AB'])(
    '[PAGE-30] is no id: %s',
    (title) => expect(slugOf(title)).toBe('page-0198c5c4-0000-7000-8000-0000000000ab'),
  );

  it.each(['console', 'auxiliary', 'com10', 'communism', 'nullable'])('leaves "%s" alone', (title) => {
    expect(slugOf(title)).toBe(title);
  });

  it.each(['', '   ', '.', '..', '...', '-', '???', '\u0000\u0001', '\u200b', '/', '-.-'])(
    'of "%s", of which nothing is left, is "page"',
    (title) => expect(slugOf(title)).toBe('page'),
  );

  it('ends and begins with neither dot nor hyphen', () => {
    expect(slugOf('notes...')).toBe('notes');
    expect(slugOf('.hidden')).toBe('hidden');
    expect(slugOf('- list -')).toBe('list');
    expect(slugOf(`${'a'.repeat(MAX_BYTES - 1)}. b`)).toBe('a'.repeat(MAX_BYTES - 1));
  });

  it('has at most 180 bytes and no half characters', () => {
    expect(slugOf('a'.repeat(500))).toBe('a'.repeat(MAX_BYTES));
    expect(slugOf('é'.repeat(200))).toBe('é'.repeat(90));
    expect(slugOf(`a${'日'.repeat(100)}`)).toBe(`a${'日'.repeat(59)}`);
    expect(slugOf(`abc${'🚀'.repeat(100)}`)).toBe(`abc${'🚀'.repeat(44)}`);
    // A real name of 169 bytes stays whole.
    expect(Buffer.byteLength(slugOf(`${'ø'.repeat(84)}x`))).toBe(169);
  });

  it('is a slug of itself, within its bounds, for any title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (title) => {
        const slug = slugOf(title);
        expect(slugOf(slug)).toBe(slug);
        expect(slug).not.toBe('');
        expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(MAX_BYTES);
        expect(slug.isWellFormed()).toBe(true);
        expect(slug).toBe(slug.normalize('NFC'));
        expect(slug).not.toMatch(/[#^[\]|:\\/*?"<>%\p{Cc}\s]/u);
      }),
      { seed: testSeed(), numRuns: 500 },
    );
  });
});

describe('[PAGE-02] a slug that is taken', () => {
  const taken = (...slugs: string[]) => new Set(slugs.map(nameKey));

  it('gets the first number that is free', () => {
    expect(freeSlug('a', taken())).toBe('a');
    expect(freeSlug('a', taken('a'))).toBe('a-2');
    expect(freeSlug('a', taken('a', 'a-2', 'a-4'))).toBe('a-3');
  });

  it('is compared by its folded form', () => {
    expect(freeSlug('strasse', taken('straße'))).toBe('strasse-2');
    expect(freeSlug('caf\u00e9', taken('cafe\u0301'))).toBe('café-2');
  });

  it('stays within its bytes with its number', () => {
    const long = 'é'.repeat(90);
    const numbered = freeSlug(long, taken(long));
    expect(numbered).toBe(`${'é'.repeat(89)}-2`);
    expect(Buffer.byteLength(numbered)).toBeLessThanOrEqual(MAX_BYTES);
  });
});

describe('[PAGE-03] names are equal', () => {
  it.each([
    ['Café', 'Cafe\u0301'],
    ['Log', 'log'],
    ['STRASSE', 'straße'],
    ['GROẞE', 'große'],
    ['ﬁne', 'FINE'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['ａｂｃ', 'ABC'],
    ['a  b', ' A\u00a0B '],
    ['①', '1'],
  ])('"%s" and "%s"', (a, b) => expect(nameKey(a)).toBe(nameKey(b)));

  it.each([
    ['Cafe', 'Café'],
    ['foo-bar', 'foo bar'],
    ['a', 'а'],
    ['I', 'ı̇x'],
  ])('but not "%s" and "%s"', (a, b) => expect(nameKey(a)).not.toBe(nameKey(b)));

  it('whichever of them is folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const key = nameKey(name);
        expect(nameKey(key)).toBe(key);
        expect(nameKey(name.normalize('NFD'))).toBe(key);
        expect(nameKey(name.normalize('NFC'))).toBe(key);
      }),
      { seed: testSeed(), numRuns: 1_000 },
    );
  });

  it('for every single character there is', () => {
    const unstable: string[] = [];
    for (let code = 1; code < 0x30000; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const name = String.fromCodePoint(code);
      const key = nameKey(name);
      if (nameKey(key) !== key || nameKey(name.normalize('NFD')) !== key) unstable.push(code.toString(16));
    }
    expect(unstable).toEqual([]);
  });
});

describe('[PAGE-04] a title', () => {
  it('is kept as the user wrote it, but for spaces at its ends', () => {
    expect(checkTitle('  Cafe\u0301  “x”  ')).toBe('Cafe\u0301  “x”');
    expect(checkTitle('a/b#c|d')).toBe('a/b#c|d');
    expect(checkTitle('x'.repeat(300))).toHaveLength(300);
  });

  it.each(['', '   ', 'a\nb', 'a\u0000b', 'a\u2028b', 'a\tb', '\u0085a', 'x'.repeat(301)])(
    'is refused if no page can be called "%s"',
    (title) => {
      expect(() => checkTitle(title)).toThrow(
        expect.objectContaining({ code: 'invalid_input', details: { field: 'title' } }),
      );
    },
  );
});
