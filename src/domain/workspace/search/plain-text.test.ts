import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from './plain-text.ts';

describe('plainText', () => {
  it.each([
    ['frontmatter', '---\ntags: [a]\n---\nBody', 'Body'],
    ['frontmatter nobody closed', '---\ntags: a\nBody', 'tags: a Body'],
    ['headings', '# Title #\n\nText\n\n## Sub', 'Title Text Sub'],
    ['a heading underlined', 'Title\n=====\nText', 'Title Text'],
    [
      'emphasis',
      'some **bold**, *slanted*, __strong__, ~~gone~~ and ==marked== words',
      'some bold, slanted, strong, gone and marked words',
    ],
    ['emphasis inside a word', '**bo**ld', 'bold'],
    [
      'signs that are not emphasis',
      '2*3, a * b, snake_case_name, a == b',
      '2*3, a * b, snake_case_name, a == b',
    ],
    ['wiki links', 'see [[Page]], [[dir/Page|the page]] and ![[pic.png]]', 'see Page, the page and pic.png'],
    ['a wiki link in a table', '| [[Page\\|shown]] | b |\n|---|---|\n| c | d |', 'shown b c d'],
    ['links', '[text](http://x.y/a_(b) "t"), ![alt](p.png), [ref][1], [**b**](u)', 'text, alt, ref, b'],
    ['inline code, kept as it is', 'run `a*b*c` and ``x ` y``', 'run a*b*c and x ` y'],
    ['fences, their code kept', 'A\n```ts\nconst a = *b*;\n```\nB', 'A const a = *b*; B'],
    ['a fence nobody closed', 'A\n~~~\n# code', 'A # code'],
    ['a shorter fence inside', '````\n```\nx\n````\n*y*', '``` x y'],
    ['quotes, lists and tasks', '> quoted\n> more\n- one\n  * two\n- [x] done', 'quoted more one two done'],
    ['escapes', '\\*not slanted\\* \\[x\\]', '*not slanted* [x]'],
    ['a block id', 'Sentence. ^abc-1\n\n^own-line', 'Sentence.'],
    ['white space', 'a\u00a0 b\r\n\r\n\tc', 'a b c'],
    ['half a link', '[text](never closed and [[neither', '[text](never closed and [[neither'],
  ])('%s', (_, markdown, text) => {
    expect(plainText(markdown).text).toBe(text);
  });

  it('knows where each character came from, and never invents one', () => {
    const sign = fc.constantFrom(...'ab é東😀*_`[]()|!#>-~=\\ \n', '[[', ']]', '](', '```', '---\n', '**');
    const markdown = fc.array(sign, { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(markdown, fc.string({ unit: 'binary' })), (source) => {
        const plain = plainText(source);
        expect(plain.text).not.toMatch(/^\s|\s$|\s\s/);
        let last = -1;
        for (let index = 0; index < plain.text.length; index += 1) {
          const at = plain.sourceIndex(index);
          if (plain.text[index] === ' ') continue;
          expect(source[at]).toBe(plain.text[index]);
          expect(at).toBeGreaterThan(last);
          last = at;
        }
      }),
      { numRuns: 1000 },
    );
  });
});
