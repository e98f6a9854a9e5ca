import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from './parse-query.ts';
import type { QueryText } from './search-query.ts';

const texts = (pieces: readonly QueryText[]): string[] => pieces.map(({ text }) => text);

describe('parseQuery, operators', () => {
  it('reads words, phrases, exclusions and filters out of one line', () => {
    const query = parseQuery(
      'alpha "beta gamma" -delta -"epsilon zeta" tag:x tag:"a b" prop:status=done prop:"due date"="next week" ' +
        'under:projects/sluice origin:agent lifecycle:active omega',
    );
    expect(texts(query.words)).toEqual(['alpha', 'omega']);
    expect(texts(query.phrases)).toEqual(['beta gamma']);
    expect(texts(query.excludedWords)).toEqual(['delta']);
    expect(texts(query.excludedPhrases)).toEqual(['epsilon zeta']);
    expect(query.filters).toEqual({
      tags: ['x', 'a b'],
      properties: [
        { key: 'status', is: 'equal', value: 'done' },
        { key: 'due date', is: 'equal', value: 'next week' },
      ],
      under: 'projects/sluice',
      origin: 'agent',
      lifecycle: 'active',
    });
    // As English has them, then as other languages would.
    expect(query.tokens).toEqual(['alpha', 'beta', 'gamma', 'omega', 'alph', 'gamm', 'omeg']);
    expect(query.text).toBe('alpha beta gamma omega');
    expect(query).toMatchObject({ empty: false, truncated: false });
  });

  it.each([
    ['prop:n>5', { key: 'n', is: 'above', kind: 'number', bound: 5 }],
    ['prop:n<=-.5e1', { key: 'n', is: 'at_most', kind: 'number', bound: -5 }],
    ['prop:due<2026-02-01', { key: 'due', is: 'below', kind: 'date', bound: Date.UTC(2026, 1, 1) }],
    ['prop:due<=2026-02-01', { key: 'due', is: 'below', kind: 'date', bound: Date.UTC(2026, 1, 2) }],
    ['prop:due>2026-02-01', { key: 'due', is: 'at_least', kind: 'date', bound: Date.UTC(2026, 1, 2) }],
    [
      'prop:due>="2026-02-01 10:00"',
      { key: 'due', is: 'at_least', kind: 'date', bound: Date.UTC(2026, 1, 1, 10) },
    ],
    [
      'prop:at>2026-02-01T10:00+02:00',
      { key: 'at', is: 'above', kind: 'date', bound: Date.UTC(2026, 1, 1, 8) },
    ],
    ['prop:who~ann', { key: 'who', is: 'containing', value: 'ann' }],
    ['has:due', { key: 'due', is: 'there' }],
    ['-has:due', { key: 'due', is: 'missing' }],
  ])('reads %s as what is to hold of a property', (input, condition) => {
    const query = parseQuery(input);
    expect(query.filters).toEqual({ tags: [], properties: [condition] });
    expect(query).toMatchObject({ words: [], empty: false });
  });

  it.each([
    [
      'a bound that is neither number nor date',
      'prop:n>abc prop:n<2026-02-30',
      ['prop:n>abc', 'prop:n<2026-02-30'],
    ],
    ['a property that is to be there and has no name', 'has:', ['has:']],
    ['an unknown key', 'foo:bar', ['foo:bar']],
    ['a key without a value', 'tag: prop: under:', ['tag:', 'prop:', 'under:']],
    ['a property without a value', 'prop:key prop:key= prop:=x', ['prop:key', 'prop:key=', 'prop:=x']],
    ['an address', 'https://example.org/a', ['https://example.org/a']],
    ['a flag', '--dry-run', ['--dry-run']],
    ['a quote inside a word', '5" pipe and 6" pipe', ['5"', 'pipe', 'and', '6"', 'pipe']],
    ['FTS5 syntax', 'NEAR(a b) OR* ^x', ['NEAR(a', 'b)', 'OR*', '^x']],
  ])('takes %s for words', (_, input, words) => {
    const query = parseQuery(input);
    expect(texts(query.words)).toEqual(words);
    expect(query.filters).toEqual({ tags: [], properties: [] });
    expect(query.phrases).toEqual([]);
  });

  it('takes a quote that nobody closed, and all behind it, for words', () => {
    expect(texts(parseQuery('one "two tag:x -three').words)).toEqual(['one', 'two', 'tag:x', '-three']);
    expect(parseQuery('tag:"a b').filters.tags).toEqual([]);
    expect(texts(parseQuery('tag:"a b').words)).toEqual(['tag:', 'a', 'b']);
    expect(parseQuery('-"a b').excludedPhrases).toEqual([]);
  });

  it('knows keys in any case, curly quotes, and a tag with its sign', () => {
    expect(parseQuery('Tag:#x').filters.tags).toEqual(['x']);
    expect(texts(parseQuery('“alpha beta” gamma').phrases)).toEqual(['alpha beta']);
  });

  it('lets the last of several places count', () => {
    expect(parseQuery('under:a under:b').filters.under).toBe('b');
  });

  it('drops what has no token, but keeps a phrase of signs to verify', () => {
    expect(parseQuery('- & -> ""')).toMatchObject({ words: [], phrases: [], excludedWords: [], empty: true });
    expect(texts(parseQuery('"->" arrow').phrases)).toEqual(['->']);
  });
});

describe('parseQuery, tokens', () => {
  it('leaves stop words out, unless there is nothing else', () => {
    expect(parseQuery('the state of the art').tokens).toEqual(['state', 'art', 'stat']);
    expect(parseQuery('to be or not to be').tokens).toEqual(['to', 'be', 'or', 'not']);
  });

  it('does not take the stem of a stop word for one', () => {
    expect(parseQuery('was WA').tokens).toEqual(['wa']);
    expect(parseQuery('was WA').weights).toEqual([1]);
  });

  it('weighs a token by how often it is asked for, up to four times', () => {
    const query = parseQuery('library libraries index "index library" library library library');
    expect(query.tokens).toEqual(['librari', 'index', 'library', 'libraries']);
    expect(query.weights).toEqual([4, 2, 4, 4]);
  });

  it('asks for the longest grams only', () => {
    expect(parseQuery('東京都').tokens).toEqual(['東京', '京都']);
    expect(parseQuery('京').tokens).toEqual(['京']);
    expect(parseQuery('โน้ต').tokens).toEqual(['โน้', 'น้ต']);
    expect(parseQuery('ไป').tokens).toEqual(['ไป']);
  });

  it('asks for an identifier by its parts and as one', () => {
    expect(parseQuery('updatePageContent').tokens).toEqual([
      'updat',
      'page',
      'content',
      'updatepagecont',
      'update',
      'pag',
    ]);
  });

  it('looks up at most 64 tokens, the repeated ones first, and says so', () => {
    const many = Array.from({ length: 100 }, (_, index) => `w${index}`).join(' ');
    const query = parseQuery(`${many} w99`);
    expect(query.tokens).toHaveLength(64);
    expect(query.tokens).toContain('w99');
    expect(query.truncated).toBe(true);
  });

  it('cuts the input at 4,096 characters without cutting a pair, and says so', () => {
    const query = parseQuery(`${'x'.repeat(4095)}😀 tail`);
    expect(query.truncated).toBe(true);
    expect(query.input).toBe('x'.repeat(4095));
    expect(parseQuery('x'.repeat(4096)).truncated).toBe(false);
  });
});

describe('parseQuery, emptiness', () => {
  it.each([
    ['', true],
    ['   ', true],
    ['?!', true],
    ['-only', false],
    ['-"a phrase"', false],
    ['-tag:x', false],
    ['-tag:', false],
    ['-', true],
    ['tag:x', false],
    ['under:a', false],
    ['word', false],
  ])('%j is empty: %s', (input, empty) => {
    expect(parseQuery(input).empty).toBe(empty);
  });
});

describe('parseQuery, any input', () => {
  const pieces = fc.constantFrom(
    '"',
    '-',
    ' ',
    'tag:',
    'prop:',
    'a',
    '=',
    'under:',
    '“',
    'the',
    '東京',
    '\u0301',
    'x y',
    ':',
  );
  const anyInput = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
  );

  it('is understood, the same way each time', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const query = parseQuery(input);
        expect(parseQuery(input)).toEqual(query);
        expect(new Set(query.tokens).size).toBe(query.tokens.length);
        expect(query.weights).toHaveLength(query.tokens.length);
        for (const { tokens } of query.words) expect(tokens.length).toBeGreaterThan(0);
        for (const token of query.tokens) expect(token).toMatch(/^[^\0-/:-`{-\x7f\s]+$/u);
      }),
      { numRuns: 1000 },
    );
  });
});
