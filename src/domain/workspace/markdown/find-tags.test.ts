import { describe, expect, it } from 'vitest';
import { findTags } from './find-tags.ts';

const tags = (text: string) => findTags(text).map((found) => found.tag);

describe('findTags', () => {
  it('answers where each tag stands', () => {
    const text = '> a #one/two,\n> #three';
    expect(findTags(text)).toEqual([
      { tag: 'one/two', start: 4, end: 12 },
      { tag: 'three', start: 16, end: 22 },
    ]);
    expect(findTags(text).map(({ start, end }) => text.slice(start, end))).toEqual(['#one/two', '#three']);
  });

  it.each([
    ['#a-b_c/D9', ['a-b_c/D9']],
    ['#2024', []],
    ['#2024/05 #2024a #1-2', ['2024/05', '2024a', '1-2']],
    ['#a.b #c, (#d) x#e', ['a', 'c']],
    ['#a/ #b// #/', ['a', 'b']],
    ['#日本語 #Größe #ру́сский #हिन्दी', ['日本語', 'Größe', 'ру́сский', 'हिन्दी']],
    ['#📚/x #👩‍💻 #✅done', ['📚/x', '👩‍💻', '✅done']],
    ['#a#b ##c # d #', ['a']],
    ['x\t#a\n#b\r\n#c\r#d', ['a', 'b', 'c', 'd']],
    ['\u3000#a\u00a0#b', ['a', 'b']],
    ['# #a\n## b #c #', ['a', 'c']],
    ['- #a\n- [ ] #b\n> #c', ['a', 'b', 'c']],
    ['| #a | b |\n|---|---|\n|#c| d #e |', ['a', 'c', 'e']],
    ['*#a* **#b** #c*', ['c']],
    ['\\#a', []],
    ['#\ud800 #\0', []],
  ])('in %j finds %j', (text, expected) => {
    expect(tags(text)).toEqual(expected);
  });

  it.each([
    ['code', '`a #x` \n```\n#x\n```\n\n    #x'],
    ['formulas', '$a #x$\n\n$$\n#x\n$$'],
    ['comments', '<!-- #x --> %% #x %%'],
    ['a URL', 'https://a.b/#x <https://a.b/ #x>'.replace(' #x>', '#x>')],
    ['the target of a wiki link', '[[ #x]] [[a #x|b #x]]'],
    ['the target of a Markdown link', '[a]( #x ) [a](<b #x>) [a](b " #x")'],
    ['a definition', '[a]: #x\n[b]: < #x>'],
    ['a tag of HTML', '<a b=" #x">'],
    ['frontmatter', '---\na: #x\n---\n'],
  ])('finds none in %s', (_, text) => {
    expect(tags(text)).toEqual([]);
  });

  it('finds one in the text of a link', () => {
    expect(tags('[a #x](b) #y')).toEqual(['x', 'y']);
  });
});
