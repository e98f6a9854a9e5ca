import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainMatch } from './explain-match.ts';
import { asPhrase, matchText } from './match-text.ts';
import { parseQuery } from './parse-query.ts';

const page = {
  title: 'Release notes',
  body: [
    '---',
    'owner: Ada',
    '---',
    '# Overview',
    'The **quick** brown',
    'fox — isn’t it? — jumps over update_page_content and [[Other page|the lazy dog]].',
    '東京都の会議。เราจดโน้ต',
  ].join('\n'),
};
const match = (input: string, on = page) => matchText(parseQuery(input), on);

describe('matchText, phrases', () => {
  it.each([
    '"quick brown fox"',
    '"QUICK  Brown"',
    '"fox - isn\'t it"',
    '"over update_page_content"',
    '"the lazy dog"',
    '"**quick** brown"',
    '"release notes"',
    '"京都の会議"',
    '"จดโน้ต"',
  ])('finds %s', (input) => {
    expect(match(input).phraseHits).toHaveLength(1);
  });

  it.each([
    ['of words apart', '"quick fox"'],
    ['that ends inside a word', '"quick bro"'],
    ['that begins inside a word', '"rown fox"'],
    ['from the end of the title into the body', '"notes overview"'],
    ['of a link target', '"Other page"'],
    ['of the frontmatter', '"owner: Ada"'],
    ['of characters apart', '"京の会"'],
  ])('does not find a phrase %s', (_, input) => {
    expect(match(input).phraseHits).toEqual([]);
  });

  it('finds a phrase after places where it only seems to stand', () => {
    expect(match('"ab"', { title: '', body: 'abab xab ab' }).phraseHits).toEqual(['ab']);
  });
});

describe('matchText, exclusions', () => {
  it.each([
    ['-fox', true],
    ['-foxes', true],
    ['-cat', false],
    ['-"brown fox"', true],
    ['-"fox brown"', false],
    ['-updatePageContent', true],
    ['-page-content', false],
    ['-updatePageContent.fox', false],
    ['-content-update', false],
    ['-東京', true],
    ['-都東', false],
    ['-京会', false],
  ])('%s: %s', (input, excluded) => {
    expect(match(`quick ${input}`).excluded).toBe(excluded);
  });
});

describe('matchText, words and title', () => {
  it('tells which tokens are there and whether all words are', () => {
    expect(match('quick cat')).toMatchObject({ allWords: false, matchedTokens: new Set(['quick']) });
    expect(match('the quick foxes')).toMatchObject({ allWords: true });
    expect(match('quick "brown cat"').allWords).toBe(false);
    expect(match('tag:x').allWords).toBe(false);
  });

  it('takes an identifier for there if it is, in one word or in parts', () => {
    expect(match('updatePageContent').allWords).toBe(true);
    expect(match('content-page').allWords).toBe(true);
    expect(match('pageHeader').allWords).toBe(false);
  });

  it('asks for stop words only if there is nothing else', () => {
    const notToBe = { title: '', body: 'to be or not to be' };
    expect(match('to be', notToBe).allWords).toBe(true);
    expect(match('to be with', notToBe).allWords).toBe(false);
    expect(match('fox with').allWords).toBe(true);
  });

  it.each([
    ['release NOTES', true],
    ['"Release notes"', true],
    ['tag:x release  notes', true],
    ['release', false],
    ['release notes fox', false],
  ])('%s is the exact title: %s', (input, exact) => {
    expect(match(input).titleExact).toBe(exact);
  });

  it('does not mind how much white space a title has', () => {
    expect(match('release notes', { title: ' Release \u00a0notes', body: '' }).titleExact).toBe(true);
  });

  it('takes the title literally where it looks like an operator', () => {
    expect(match('tag:"x"', { title: 'tag:"x"', body: '' }).titleExact).toBe(true);
    expect(match('', { title: '', body: '' }).titleExact).toBe(false);
  });

  it('answers for any text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(text, text, text, (input, title, body) => {
        const query = parseQuery(input);
        const found = matchText(query, { title, body });
        expect(query.tokens).toEqual(expect.arrayContaining([...found.matchedTokens]));
        expect([...found.matchedTokens]).toEqual(expect.arrayContaining([...found.titleTokens]));
      }),
    );
  });

  it('finds every phrase that was cut out of the page at the edges of words', () => {
    const words = fc.array(fc.constantFrom('alpha', 'Béta', 'ΓΆΜΜΑ', 'x1', '東京', 'don’t'), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), fc.constantFrom(' ', '\n', '  \n> '), (parts, a, b, gap) => {
        const from = a % parts.length;
        const phrase = parts.slice(from, from + 1 + (b % (parts.length - from))).join(' ');
        const found = match(`"${phrase}"`, { title: 'x', body: parts.join(gap) });
        expect(found.phraseHits).toEqual([phrase]);
      }),
    );
  });
});

describe('explainMatch', () => {
  const explain = (input: string): string[] => explainMatch(parseQuery(input), match(input));

  it('gives the strongest reason first', () => {
    expect(explain('release notes')).toEqual([
      'exact title',
      'title words: release, notes',
      'words: release, notes',
    ]);
    expect(explain('notes "quick brown" foxes missing')).toEqual([
      'phrase "quick brown"',
      'title words: notes',
      'words: notes, foxes',
    ]);
  });

  it('names words as written, each once, and not too many', () => {
    expect(explain('Fox Fox fox')).toEqual(['words: Fox, fox']);
    const many = 'quick brown fox jumps over update page content lazy dog';
    expect(explain(many)).toEqual([
      'words: quick, brown, fox, jumps, over, update, page, content and 2 more',
    ]);
    expect(explain('nothing here matches, really: zzz')).toEqual([]);
  });
});

describe('[PAGE-19] asPhrase', () => {
  const words = (count: number): string => Array.from({ length: count }, (_, i) => `word${i}`).join(' ');

  it('takes a few words for a phrase, neither one word nor a whole question', () => {
    for (const count of [2, 8])
      expect(asPhrase(parseQuery(words(count)))?.phrases.map(({ text }) => text)).toEqual([words(count)]);
    for (const count of [1, 9]) expect(asPhrase(parseQuery(words(count)))).toBeUndefined();
  });

  it('leaves a query as it is that has a phrase already', () => {
    expect(asPhrase(parseQuery('"quick brown" fox jumps'))).toBeUndefined();
  });
});
