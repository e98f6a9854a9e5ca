import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze } from './analyze.ts';
import { parseQuery } from './parse-query.ts';
import { plainText } from './plain-text.ts';
import { makeSnippet, type Snippet } from './snippet.ts';

const snip = (input: string, body: string, maxCharacters?: number): Snippet =>
  makeSnippet(parseQuery(input), body, maxCharacters === undefined ? {} : { maxCharacters });
const marked = ({ text, marks }: Snippet): string[] => marks.map(([from, to]) => text.slice(from, to));
const graphemes = (text: string): string[] =>
  [...new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment);
const filler = 'Nothing to see in this sentence at all. ';

describe('makeSnippet', () => {
  it('shows a short body whole, without its Markdown, and marks words, not markup', () => {
    const snippet = snip('pages bold', '---\na: b\n---\n# Head\n**Bold** page <b>x</b> [[Target|pages]]');
    expect(snippet.text).toBe('Head Bold page <b>x</b> pages');
    expect(marked(snippet)).toEqual(['Bold', 'page', 'pages']);
  });

  it('shows the place with the most of the query, cut at words', () => {
    const body = `${filler.repeat(20)}one alpha here. ${filler.repeat(20)}Then alpha beside beta. ${filler.repeat(20)}`;
    const snippet = snip('alpha beta', body);
    expect(marked(snippet)).toEqual(['alpha', 'beta']);
    expect(snippet.text).toMatch(/^…\S.*Then alpha beside beta\..*\S…$/);
    expect(snippet.text.length).toBeLessThanOrEqual(240);
    expect(body.slice(snippet.start, snippet.end)).toBe(snippet.text.slice(1, -1));
    expect([body[snippet.start - 1], body[snippet.end]]).toEqual([' ', ' ']);
  });

  it('counts a word once, and takes the first of equal places', () => {
    const body = `${'alpha '.repeat(9)}${filler.repeat(20)}alpha and beta. ${filler.repeat(20)}beta and alpha.`;
    expect(marked(snip('alpha beta', body))).toEqual(['alpha', 'beta']);
  });

  it('keeps the matches at both edges of a window they fill', () => {
    const body = `${filler.repeat(5)}alpha in a sentence then beta ${filler.repeat(5)}`;
    expect(marked(snip('alpha beta', body, 32))).toEqual(['alpha', 'beta']);
  });

  it('prefers a phrase to any number of words', () => {
    const body = `alpha beta gamma delta. ${filler.repeat(20)} The beta alpha phrase. ${filler.repeat(20)}`;
    const snippet = snip('gamma delta "beta alpha"', body);
    expect(marked(snippet)).toEqual(['beta alpha']);
  });

  it('begins at the beginning if only the title matched', () => {
    const snippet = snip('title', `---\nx: y\n---\n\n${filler.repeat(20)}`);
    expect(snippet.text).toMatch(/^Nothing to see.*…$/);
    expect(snippet.marks).toEqual([]);
    expect(snip('title', '')).toEqual({ text: '', start: 0, end: 0, at: 0, marks: [] });
  });

  it('marks parts of identifiers, joined forms, and whole graphemes', () => {
    expect(marked(snip('page', 'call update_page_content now'))).toEqual(['page']);
    expect(marked(snip('updatepagecontent', 'call update_page_content now'))).toEqual([
      'update_page_content',
    ]);
    expect(marked(snip('cafe', 'Le CAFE\u0301 noir'))).toEqual(['CAFE\u0301']);
    expect(marked(snip('โน', 'จดโน้ตแล้ว'))).toEqual(['โน้']);
    expect(marked(snip('💻', 'a 👩‍💻 b'))).toEqual(['👩‍💻']);
    expect(marked(snip('👩', 'a 👩‍💻 b'))).toEqual(['👩‍💻']);
  });

  it('marks a word of a script without spaces as one', () => {
    expect(marked(snip('東京都', '私は東京都に住む'))).toEqual(['東京都']);
    expect(marked(snip('โน้ต', 'เราจดโน้ตทุกวัน'))).toEqual(['โน้ต']);
    expect(marked(snip('노트', '회의 노트를 쓰다'))).toEqual(['노트']);
  });

  it('says under which heading the match stands, by the innermost section', () => {
    const body = '# A\nalpha\n## B\nbeta\n# C\ngamma';
    const headings = [
      { start: 0, end: 21, path: ['A'] },
      { start: 10, end: 21, path: ['A', 'B'] },
      { start: 21, end: body.length, path: ['C'] },
    ];
    const under = (input: string) => makeSnippet(parseQuery(input), body, { headings }).heading_path;
    expect(under('alpha')).toEqual(['A']);
    expect(under('beta')).toEqual(['A', 'B']);
    expect(under('gamma')).toEqual(['C']);
    expect(snip('gamma', body)).not.toHaveProperty('heading_path');
  });

  it('adds an ellipsis only where something was cut', () => {
    expect(snip('x', 'x '.padEnd(240, 'y')).text).toHaveLength(240);
    expect(snip('alpha', `alpha ${filler.repeat(20)}`).text).toMatch(/^alpha/);
    expect(snip('alpha', `${filler.repeat(20)}alpha`).text).toMatch(/^….*alpha$/);
  });

  it('has no room in no characters', () => {
    for (const most of [-1, 0, 1, 2, Number.NaN]) expect(snip('alpha', filler, most).text).toBe('');
  });
});

describe('makeSnippet, any text', () => {
  const words = fc.constantFrom(
    'alpha',
    'Beta',
    'fooBar',
    'snake_case',
    '**b**',
    '[[x|y]]',
    '東京都',
    'โน้ตภาษา',
    '노트를',
    '👩‍💻',
    '🇩🇪🇫🇷',
    'e\u0301'.repeat(5),
    'हिन्दी',
    '𠮷𠮷',
    ' ',
    ' ',
    '\n',
    '```\n',
    '# ',
    '\ud83d',
    `z${'\u0301'.repeat(50)}`,
  );
  const body = fc.oneof(
    fc.array(words, { maxLength: 60 }).map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );
  const input = fc.oneof(
    fc.constantFrom(
      'alpha',
      '"beta foobar"',
      'bar case',
      '京都',
      'ภาษา',
      '트를',
      '💻',
      '🇩🇪',
      'é',
      '𠮷',
      '"y" z',
    ),
    fc.string({ unit: 'binary', maxLength: 12 }),
  );

  it('keeps to the cap and to whole graphemes, and marks what the query asks for', () => {
    fc.assert(
      fc.property(input, body, fc.integer({ min: 0, max: 60 }), (asked, source, most) => {
        const query = parseQuery(asked);
        const snippet = makeSnippet(query, source, { maxCharacters: most });
        expect(snippet.text.length).toBeLessThanOrEqual(most);
        expect(snippet.start).toBeLessThanOrEqual(snippet.end);
        expect(snippet.end).toBeLessThanOrEqual(source.length);

        const plain = plainText(source).text;
        const shown = [...snippet.text.matchAll(/^…?(.*?)…?$/gsu)][0]?.[1] ?? '';
        const isWhole = graphemes(plain).join('\0').includes(graphemes(shown).join('\0')) || shown === '';
        const isWithEllipsis = graphemes(plain).join('\0').includes(graphemes(snippet.text).join('\0'));
        expect(isWhole || isWithEllipsis).toBe(true);

        let last = -1;
        for (const [from, to] of snippet.marks) {
          expect(from).toBeGreaterThan(last);
          expect(to).toBeGreaterThan(from);
          last = to;
          const tokens = analyze(snippet.text.slice(from, to));
          const isPhraseOfSigns = query.phrases.some((phrase) => phrase.tokens.length === 0);
          expect(isPhraseOfSigns || query.tokens.some((token) => tokens.includes(token))).toBe(true);
        }
        expect(last).toBeLessThanOrEqual(snippet.text.length);
      }),
      { numRuns: 2000 },
    );
  });
});
