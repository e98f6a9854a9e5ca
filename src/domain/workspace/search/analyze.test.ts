import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze, pageTokens } from './analyze.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc
    .array(
      fc.constantFrom(
        'fooBar',
        'snake_case',
        'kebab-case',
        '⑴',
        '½',
        'ﷺ',
        '㏂',
        '℀',
        '東京',
        'โน้ต',
        '-',
        '_',
        ' ',
      ),
      {
        maxLength: 20,
      },
    )
    .map((parts) => parts.join('')),
);

describe('analyze, script by script', () => {
  it.each([
    ['English is stemmed', 'Running the pages', ['run', 'the', 'page']],
    ['German', 'Größe der Straße', ['gross', 'der', 'strass']],
    ['French', 'l’école à Orléans', ['l', 'ecol', 'a', 'orlean']],
    ['Turkish', 'İstanbul ISI ısı', ['istanbul', 'isi', 'isi']],
    ['Russian', 'Ёлки и страницы', ['елки', 'и', 'страницы']],
    ['Greek', 'Ο ΛΌΓΟΣ, ο λόγος', ['ο', 'λογοσ', 'ο', 'λογοσ']],
    ['Chinese', '写笔记。', ['写', '写笔', '笔', '笔记', '记']],
    [
      'Japanese, across its scripts',
      'お茶リンク',
      ['お', 'お茶', '茶', '茶リ', 'リ', 'リン', 'ン', 'ンク', 'ク'],
    ],
    ['Korean', '노트를', ['노', '노트', '트', '트를', '를']],
    ['Thai, marks counted', 'โน้ต', ['โน', 'โน้', 'น้', 'น้ต', '้ต']],
    ['Khmer, whatever invisible breaks it has', 'ខ្មែរ', analyze('ខ្មែ\u200bរ')],
    ['Arabic, with or without vowel signs', 'مُحَمَّد محمد', ['محمد', 'محمد']],
    ['Hindi, marks kept', 'हिन्दी में', ['हिन्दी', 'में']],
    ['Hebrew, with or without points', 'שָׁלוֹם שלום', ['שלום', 'שלום']],
    ['emoji', '🚀 Launch 👩🏽‍💻 ❤️', ['🚀', 'launch', '👩', '💻', '❤']],
    ['two scripts in one word', 'Python入門', ['python', '入', '入門', '門']],
    ['one character of a script of grams', '中 ก', ['中', 'ก']],
    ['compatibility forms', 'Ｐａｇｅ ﬁle ㎏ ½ ⑴', ['page', 'file', 'kg', '1', '2', '1']],
    ['an accent on nothing, before capitals', '\u1fdd0Aa', ['0', 'aa', '0aa']],
    ['a sign behind a name', 'Sluice™ Page®', ['sluic', 'page']],
  ])('%s', (_, text, tokens) => {
    expect(analyze(text)).toEqual(tokens);
  });

  it('leaves numbers, mixed words and two-letter words as they are', () => {
    expect(analyze('2026 utf8 v24 A4B2 h2o is')).toEqual(['2026', 'utf8', 'v24', 'a4b2', 'h2o', 'is']);
  });

  it('takes neither emphasis nor a dash for an identifier', () => {
    expect(analyze('_word_ one--two __x__')).toEqual(['word', 'on', 'two', 'x']);
  });
});

describe('analyze, identifiers', () => {
  it('gives the parts and the joined form, however it is written', () => {
    const tokens = ['updat', 'page', 'content', 'updatepagecont'];
    for (const written of [
      'update_page_content',
      'update-page-content',
      'updatePageContent',
      'UpdatePageContent',
    ]) {
      expect(analyze(written)).toEqual(tokens);
    }
    expect(analyze('updatepagecontent')).toEqual(['updatepagecont']);
  });

  it.each([
    ['HTTPServer', ['http', 'server', 'httpserver']],
    ['utf8Encoder', ['utf8', 'encod', 'utf8encoder']],
    ['GitHub-based', ['git', 'hub', 'github', 'base', 'githubbas']],
    ['URLs', ['url']],
    ['2026-08-04', ['2026', '08', '04', '20260804']],
    ['cafe\u0301Bar', ['cafe', 'bar', 'cafebar']],
    ['東京-大阪', ['東', '東京', '京', '大', '大阪', '阪']],
  ])('%s', (written, tokens) => {
    expect(analyze(written)).toEqual(tokens);
  });

  it('does not take a blob of capitals and small letters apart', () => {
    expect(analyze('aBcDeFgHiJkLmNoPqR')).toEqual(['abcdefghijklmnopqr']);
    expect(analyze(`x${'Ab'.repeat(40)}`)).toHaveLength(2);
    expect(analyze(`${'a'.repeat(70)}Word`)).not.toContain('word');
  });
});

describe('analyze, bounds', () => {
  it('cuts a word too long for a token into chunks and caps a joined form', () => {
    expect(analyze('1'.repeat(150)).map((token) => token.length)).toEqual([64, 64, 22]);
    expect(analyze('1234567890-'.repeat(10)).at(-1)).toHaveLength(64);
    for (const token of analyze(`a${'𐐨'.repeat(60)}`)) expect(token.isWellFormed()).toBe(true);
  });

  it('makes tokens that a store may join by spaces, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const token of analyze(text)) {
          expect(token).toMatch(/^[^\0-/:-`{-\x7f\s]+$/u);
          expect(token.length).toBeLessThanOrEqual(64);
          expect(token.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('gives the same tokens again, and finds every token but a stem by itself', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = analyze(text);
        expect(analyze(text)).toEqual(tokens);
        for (const token of tokens) if (!/^[a-z]+$/.test(token)) expect(analyze(token)).toContain(token);
      }),
    );
  });

  it('does not depend on what was analysed before', () => {
    const before = analyze('Zebra zebras');
    analyze(Array.from({ length: 100_000 }, (_, index) => `w${index}`).join(' '));
    expect(analyze('Zebra zebras')).toEqual(before);
  });
});

describe('pageTokens', () => {
  it('analyses title, headings and body apart', () => {
    expect(pageTokens({ title: 'My Page', headings: ['First part', 'Second'], body: 'Words' })).toEqual({
      title: ['my', 'page'],
      headings: ['first', 'part', 'second'],
      body: ['word'],
    });
  });
});
