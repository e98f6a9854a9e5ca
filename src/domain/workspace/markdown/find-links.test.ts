import { describe, expect, it } from 'vitest';
import { findLinks } from './find-links.ts';
import type { LinkSpan } from './link-span.ts';

const links = (text: string) => findLinks(text).links;
const written = (text: string) => links(text).map((link) => text.slice(link.start, link.end));
const paths = (text: string) => links(text).map((link) => link.path);
const targets = (text: string) => links(text).map((link) => text.slice(link.targetStart, link.targetEnd));

function only(text: string): LinkSpan {
  const [first, ...rest] = links(text);
  if (!first || rest.length > 0) throw new Error(`expected one link in ${JSON.stringify(text)}`);
  return first;
}

describe('a wiki link', () => {
  it('is path, fragment and display, split at the first # and the first bar', () => {
    const text = 'See ![[a/Note#one#^two|some text]].';
    expect(only(text)).toEqual({
      form: 'wiki',
      embed: true,
      start: 4,
      end: 34,
      targetStart: 7,
      targetEnd: 13,
      path: 'a/Note',
      fragment: 'one#^two',
      fragmentStart: 14,
      fragmentEnd: 22,
      display: 'some text',
      angle: false,
      encoded: false,
      escapedBar: false,
      external: false,
      in: 'body',
    });
  });

  it('keeps a # in its display text', () => {
    expect(only('[[Note|a#b]]')).toMatchObject({ path: 'Note', display: 'a#b' });
    expect(only('[[Note|a#b]]')).not.toHaveProperty('fragment');
  });

  it('leaves the backslash of \\| out of the target, in tables and elsewhere', () => {
    const table = '| a | b |\n| - | - |\n| [[Note\\|text]] | [[Other#h\\|x]] |';
    expect(targets(table)).toEqual(['Note', 'Other']);
    expect(links(table)).toMatchObject([
      { escapedBar: true, display: 'text' },
      { escapedBar: true, fragment: 'h', display: 'x' },
    ]);
    expect(only('[[Note\\|text]]')).toMatchObject({ path: 'Note', escapedBar: true });
  });

  it('is found in a table cell even when its bar is not escaped', () => {
    expect(only('| a | b |\n|---|---|\n| [[Note|x]] | c |')).toMatchObject({ path: 'Note', display: 'x' });
  });

  it.each([
    ['[[Sq]uare]]', ['Sq]uare']],
    ['[[a [[Inner]] c]]', ['Inner']],
    ['[[[x]]]', ['x']],
    ['[[a\nb]]', []],
    ['[[a\r\nb]]', []],
    ['[[]]', []],
    ['[[ ]]', []],
    ['[[#]]', []],
    ['[[|x]]', []],
    ['[[x]', []],
    ['[[ spaced ]]', ['spaced']],
    ['[[Note: with colon]]', ['Note: with colon']],
    ['[[Figure 1.png]]', ['Figure 1.png']],
    ['[[a]] [[b]] [[a]]', ['a', 'b', 'a']],
    ['[[Löwe 🦁]]', ['Löwe 🦁']],
  ])('%j links to %j', (text, expected) => {
    expect(paths(text)).toEqual(expected);
  });

  it('may lead into its own page', () => {
    expect(only('[[#Heading]]')).toMatchObject({
      path: '',
      fragment: 'Heading',
      targetStart: 2,
      targetEnd: 2,
    });
  });

  it('leaves the white space round its path out of the span that a rename replaces', () => {
    const text = '[[ Note # Part | x ]]';
    expect(targets(text)).toEqual(['Note']);
    expect(only(text)).toMatchObject({ path: 'Note', fragment: 'Part', display: ' x ' });
  });

  it('keeps the size of an embed as its display and #page=3 as its fragment', () => {
    expect(only('![[a.png|100x145]]')).toMatchObject({ embed: true, path: 'a.png', display: '100x145' });
    expect(only('![[b.pdf#page=3]]')).toMatchObject({ embed: true, path: 'b.pdf', fragment: 'page=3' });
  });

  it.each([
    ['[[https://x.y/z]]', true],
    ['[[//host/x]]', true],
    ['[[Mailto:a@b.c]]', true],
    ['[[C:/x]]', false],
    ['[[Re:Zero]]', false],
    ['[[Note: x]]', false],
  ])('%j leads out of the workspace: %j', (text, external) => {
    expect(only(text).external).toBe(external);
  });

  it.each([
    ['\\[[x]]', []],
    ['[\\[x]]', []],
    ['\\\\[[x]]', ['[[x]]']],
    ['\\![[x]]', ['[[x]]']],
    ['!\\[[x]]', []],
  ])('escaped as %j is %j', (text, expected) => {
    expect(written(text)).toEqual(expected);
  });
});

describe('no link stands in', () => {
  it.each([
    ['a backtick fence', '```\n[[x]] [a](b)\n```'],
    ['a tilde fence', '~~~\n[[x]]\n```\n[[x]]\n~~~'],
    ['a fence closed by a longer one', '```\n[[x]]\n``\n[[x]]\n````'],
    ['an indented fence', '   ```toml\n[[outputs]]\n   ```'],
    ['a fence in a quote', '> ```\n> [[x]]\n> ```'],
    ['a fence in a list in a quote', '> - a\n>   ```\n>   [[x]]\n>   ```'],
    ['a fence deep in a list', '- a\n  1. b\n     ```\n     [[x]]\n     ```'],
    ['indented code', 'a\n\n    [[x]]\n\n    [a](b)'],
    ['indented code in a list item', '- a\n\n      [[x]]'],
    ['tabs as indent', '\t[[x]]'],
    ['inline code', '`[[x]]` and `` ` [[x]] `` and ``` [[x]] ```'],
    ['inline code over two lines', '`a\n[[x]]`'],
    ['inline code in a quote', '> `a\n> [[x]]`'],
    ['a formula block', '$$\n[[x]]\n\n[[x]]\n$$'],
    ['a formula block of one line', '$$[[x]]$$'],
    ['a formula block that begins on its first line', '$$ a\n= [[x]]\n- b $$'],
    ['an inline formula', 'a $x[[y]]$ b'],
    ['an inline formula with code in it', '$a `b$` [[x]] c$'],
    ['an inline display formula', 'a $$ [[x]] $$ b'],
    ['an HTML comment', '<!-- [[x]] -->'],
    ['an HTML comment with blank lines', '<!--\n\n[[x]]\n\n-->'],
    ['an HTML comment in a sentence', 'a <!-- [[x]]\n[[y]] --> b'],
    ['an HTML comment that never ends', '<!-- a\n\n[[x]]'],
    ['an Obsidian comment', 'a %% [[x]] %% b'],
    ['an Obsidian comment block', '%%\n[[x]]\n\n- [[y]]\n%%'],
    ['a comment block under a paragraph', 'a\n%%\n[[x]]\n\n[[y]]\n%%'],
    ['an attribute', '<a title="[[x]]">'],
    ['preformatted HTML', '<pre>\n[[x]]\n\n[[y]]\n</pre>'],
    ['a script', '<script>\na = [[x]]\n</script>'],
  ])('%s', (_, text) => {
    expect(written(text)).toEqual([]);
  });
});

describe('a link does stand', () => {
  it.each([
    ['after a closed fence', '```\n[[x]]\n```\n[[y]]'],
    ['after a fence with a backtick in its info string, which is none', '```a`b\n[[y]]'],
    ['after a fence that ends with its quote', '> ```\n> [[x]]\n\n[[y]]'],
    ['in a paragraph line that is indented', 'a\n    [[y]]'],
    ['in a list item that looks indented', '- a\n\n    [[y]]'],
    ['after backticks that match nothing', '`` a ` [[y]]'],
    ['after an escaped backtick', '\\`[[y]]`'],
    ['between two prices', 'from $5 [[y]] to $10'],
    ['before a dollar that a digit follows', 'a $b [[y]] c$5'],
    ['after a lone dollar', 'a $ b [[y]] c$'],
    ['after $$ that nothing closes', '$$\n[[y]]'],
    ['under a price class', '$$ cheap\n\n[[y]]\n\n$$ dear'],
    ['after the end of a formula block', '$$\na\n$$ [[y]]'],
    ['after %% that nothing closes', '%% a\n\n[[y]]'],
    ['behind a comment on its line', '<!-- a --> [[y]]'],
    ['after a comment that a paragraph leaves open', 'a <!-- b\n\n[[y]] -->'],
    ['in the text of HTML', '<div>\n[[y]]\n</div>'],
    ['between tags', 'a <b>[[y]]</b>'],
    ['in a heading', '# a [[y]] #'],
    ['in a quote', '> a\nlazy [[y]]'],
    ['in a callout', '> [!note] [[y]]'],
    ['in a task', '- [ ] [[y]]'],
    ['in a footnote', '[^1]: [[y]]'],
    ['in a definition-like line', '[todo]: [[y]]'],
    ['as the destination of a Markdown link', '[text]([[y]])'],
  ])('%s', (_, text) => {
    expect(paths(text)).toEqual(['y']);
  });
});

describe('an unclosed fence', () => {
  it('is reported, and what it hides is not', () => {
    expect(findLinks('[[a]]\n\n```\n[[b]]\n')).toMatchObject({
      links: [{ path: 'a' }],
      unclosedFence: { start: 7 },
    });
    expect(findLinks('- x\n  ~~~~\n  ~~~\n').unclosedFence).toEqual({ start: 6 });
  });

  it('is not reported when its container ends it, or when it is closed', () => {
    expect(findLinks('> ```\n> x\n\n[[b]]')).not.toHaveProperty('unclosedFence');
    expect(findLinks('```\n```')).not.toHaveProperty('unclosedFence');
  });
});

describe('a link in frontmatter', () => {
  it('is found quoted, bare and in every entry of a list', () => {
    const text =
      '---\nup: "[[x#y]]"\nrelated:\n  - "[[a]]"\n  - \'[[b|c]]\'\n  - [[d]]\nmore: ["[[e]]", "![[f]]"]\n---\n[[g]]';
    expect(links(text).map(({ path, in: place }) => [path, place])).toEqual([
      ['x', 'frontmatter'],
      ['a', 'frontmatter'],
      ['b', 'frontmatter'],
      ['d', 'frontmatter'],
      ['e', 'frontmatter'],
      ['f', 'frontmatter'],
      ['g', 'body'],
    ]);
    expect(targets(text)).toEqual(['x', 'a', 'b', 'd', 'e', 'f', 'g']);
  });

  it('is not hidden by marks that mean something in prose', () => {
    expect(paths('---\na: `\nb: "[[x]]"\nc: ` $\n---\n')).toEqual(['x']);
  });

  it('may follow a byte order mark, and needs a closing line', () => {
    expect(only('\ufeff---\na: "[[x]]"\n---').in).toBe('frontmatter');
    expect(only('---\na: "[[x]]"\n').in).toBe('body');
  });
});

describe('a Markdown link', () => {
  it('is decoded, and its span leaves out title, fragment and brackets', () => {
    const text = '[t](My%20Note.md#A%20b "title")';
    expect(only(text)).toEqual({
      form: 'markdown',
      embed: false,
      start: 0,
      end: 31,
      targetStart: 4,
      targetEnd: 16,
      path: 'My Note.md',
      fragment: 'A b',
      fragmentStart: 17,
      fragmentEnd: 22,
      display: 't',
      angle: false,
      encoded: true,
      escapedBar: false,
      external: false,
      in: 'body',
    });
  });

  it('may have its destination in angle brackets', () => {
    const text = "![t](<My Note.md#h> 'title')";
    expect(targets(text)).toEqual(['My Note.md']);
    expect(only(text)).toMatchObject({
      embed: true,
      angle: true,
      path: 'My Note.md',
      fragment: 'h',
      start: 0,
    });
  });

  it.each([
    ['[t](a(b)c.md)', 'a(b)c.md'],
    ['[t](a\\)b.md)', 'a)b.md'],
    ['[t](a\\#b.md)', 'a#b.md'],
    ['[t](%E4%BD%A0.md)', '你.md'],
    ['[t](%FF.md)', '%FF.md'],
    ['[t](100%.md)', '100%.md'],
    ['[t](50%25%20x%.md)', '50% x%.md'],
    ['[a [b] c](x.md)', 'x.md'],
    ['[a `]` c](x.md)', 'x.md'],
    ['[a \\] c](x.md)', 'x.md'],
    ['[a\nb](x.md)', 'x.md'],
    ['> [a\n> b](x.md\n> "t")', 'x.md'],
    ['[t]( x.md )', 'x.md'],
  ])('%j has the path %j', (text, path) => {
    expect(only(text).path).toBe(path);
  });

  it.each([
    '[t](a b.md)',
    '[t] (a.md)',
    '\\[t](a.md)',
    '[t](<a\nb>)',
    '[t](a.md "x" y)',
    '`[t](a.md)`',
    '[t`](a.md)`',
    '[t]()',
    'a](b)',
    '<https://a.b>',
  ])('%j is none', (text) => {
    expect(links(text)).toEqual([]);
  });

  it.each([
    ['[t](https://a.b/c)', true],
    ['[t](Mailto:a@b.c)', true],
    ['[t](//a.b)', true],
    ['[t](obsidian://open)', true],
    ['[t](C:/a.md)', false],
    ['[t](a/b:c.md)', false],
    ['[t](/a.md)', false],
    ['[t](#heading)', false],
    ['[t](<Note: x.md>)', false],
  ])('%j leads out of the workspace: %j', (text, external) => {
    expect(only(text).external).toBe(external);
  });

  it('keeps its text as written, with inline code and without the marks of a quote', () => {
    expect(only('[see `a | b` *now*](x.md)').display).toBe('see `a | b` *now*');
    expect(only('> [a\n> b](x.md)').display).toBe('a\nb');
    expect(only('![alt|100](x.png)').display).toBe('alt|100');
  });
});

describe('nesting follows CommonMark', () => {
  it.each([
    ['[a [b](c) d](e)', ['[b](c)']],
    ['[![a](b.png)](c)', ['[![a](b.png)](c)', '![a](b.png)']],
    ['![a [b](c) d](e.png)', ['![a [b](c) d](e.png)', '[b](c)']],
    ['[see [[x]] here](e)', ['[[x]]']],
    ['[[x]](e)', ['[[x]]']],
    ['[![[a.png]]](e)', ['[![[a.png]]](e)', '![[a.png]]']],
    ['![alt [[x]]](e.png)', ['![alt [[x]]](e.png)', '[[x]]']],
    ['[[Note|the `]]` label]]', ['[[Note|the `]]` label]]']],
    ['[[a `b]] c` d', []],
    ['$x [[a$b]]', []],
    ['[[A$B]] [[C$D]]', ['[[A$B]]', '[[C$D]]']],
  ])('%j gives %j', (text, expected) => {
    expect(written(text)).toEqual(expected);
  });
});

describe('a reference definition', () => {
  it('is a link of its own form', () => {
    const text = 'a [b][x]\n\n[x]: <My Note.md#h>\n  "title"\n[y]: other.md\n';
    expect(written(text)).toEqual(['[x]: <My Note.md#h>\n  "title"', '[y]: other.md']);
    expect(targets(text)).toEqual(['My Note.md', 'other.md']);
    expect(links(text)).toMatchObject([
      { form: 'reference', angle: true, fragment: 'h' },
      { form: 'reference', angle: false, external: false },
    ]);
  });

  it('is found in quotes and list items, with offsets into the page', () => {
    expect(targets('> [x]:\n> a%20b.md\n\n- [y]: c.md')).toEqual(['a%20b.md', 'c.md']);
  });

  it.each(['a\n[x]: y', '[x]: y z', '[x]:', '[]: y', '[^1]: y', '    [x]: y'])('%j is none', (text) => {
    expect(links(text)).toEqual([]);
  });
});

describe('line ends and odd characters', () => {
  it.each(['\n', '\r\n', '\r'])('are understood with %j', (end) => {
    const text = ['a `b', '[[x]]` [[y]]', '```', '[[z]]', '```', '[[w]]', '', '> [t](u', '> "v")'].join(end);
    expect(targets(text)).toEqual(['y', 'w', 'u']);
  });

  it('leave a byte order mark, NUL and lone surrogates as they are', () => {
    const text = '\ufeff\0 [[a\0b]] \ud800[[c\udc00]]\0';
    expect(paths(text)).toEqual(['a\0b', 'c\udc00']);
    expect(targets(text)).toEqual(['a\0b', 'c\udc00']);
  });
});
