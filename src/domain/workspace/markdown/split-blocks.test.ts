import { describe, expect, it } from 'vitest';
import { splitBlocks } from './split-blocks.ts';

const kinds = (text: string) => splitBlocks(text).map((block) => block.kind);
const pieces = (text: string) =>
  splitBlocks(text).map((block) => [block.kind, text.slice(block.start, block.end)]);

describe('splitBlocks', () => {
  it('gives blank lines to the block before them, and leading ones to the first', () => {
    expect(pieces('\n\n# A\n\n\ntext\nmore\n \n- x\n')).toEqual([
      ['heading', '\n\n# A\n\n\n'],
      ['paragraph', 'text\nmore\n \n'],
      ['list_item', '- x\n'],
    ]);
  });

  it('has no block in an empty text and one in a blank one', () => {
    expect(splitBlocks('')).toEqual([]);
    expect(splitBlocks(' \n\n')).toEqual([{ kind: 'paragraph', start: 0, end: 3 }]);
    expect(kinds('\ufeff')).toEqual(['paragraph']);
  });

  it.each([
    ['# a', 1],
    ['###### a ##', 6],
    ['   ## a', 2],
    ['#', 1],
    ['a\n===', 1],
    ['a\nb\n  ---  ', 2],
    ['\ufeff# a', 1],
  ])('reads %j as one heading of level %i', (text, level) => {
    expect(splitBlocks(text)).toEqual([{ kind: 'heading', start: 0, end: text.length, level }]);
  });

  it.each([
    ['#a', ['paragraph']],
    ['####### a', ['paragraph']],
    ['a\n# b', ['paragraph', 'heading']],
    ['a\n\n===', ['paragraph', 'paragraph']],
    ['---\na: b\n---\ntext', ['frontmatter', 'paragraph']],
    ['---\n---', ['frontmatter']],
    ['---\ntext', ['rule', 'paragraph']],
    ['text\n\n---\na: b\n---\n', ['paragraph', 'rule', 'heading']],
    ['* * *\n***\n_ _ _', ['rule', 'rule', 'rule']],
    ['- a\n- b\n  - c\n\n  d\n- e', ['list_item', 'list_item', 'list_item']],
    ['- a\n* b\n1. c\n2) d', ['list_item', 'list_item', 'list_item', 'list_item']],
    ['- a\nlazy\n\nb', ['list_item', 'paragraph']],
    ['a\n2. b', ['paragraph']],
    ['a\n1. b', ['paragraph', 'list_item']],
    ['a\n-', ['heading']],
    ['a\n*', ['paragraph']],
    ['-\n\n  a', ['list_item', 'paragraph']],
    ['- - - x', ['list_item']],
    ['> a\nlazy\n> b\n\nc', ['quote', 'paragraph']],
    ['> a\n\n> b', ['quote', 'quote']],
    ['> # a\n> - b\n> ```\n> c', ['quote']],
    ['```\n\n# a\n```\nb', ['code', 'paragraph']],
    ['~~~\n```\n~~~', ['code']],
    ['a\n```\nb', ['paragraph', 'code']],
    ['    a\n\n    b\n\nc', ['code', 'paragraph']],
    ['a\n    b', ['paragraph']],
    ['- a\n\n      code\n\n  b', ['list_item']],
    ['| a | b |\n|---|:-:|\n| c | d |\ne\n\nf', ['table', 'paragraph']],
    ['a | b\n-|-\nc', ['table']],
    ['text\n| a |\n| - |\n| b |', ['paragraph', 'table']],
    ['| a | b |\n| - |', ['paragraph']],
    ['| a |\n| - |\n> b', ['table', 'quote']],
    ['| a |\n| - |\n    b', ['table', 'code']],
    ['<div>\na\n\nb', ['html', 'paragraph']],
    ['<!--\n\na\n-->\nb', ['html', 'paragraph']],
    ['a\n<div>', ['paragraph', 'html']],
    ['a\n<x>', ['paragraph']],
    ['<x y="z">\n', ['html']],
    ['%%\na\n\nb\n%%\nc', ['html', 'paragraph']],
    ['$$\na\n\nb\n$$\nc', ['math', 'paragraph']],
    ['$$a$$', ['math']],
    ['$$ a\n= b $$\nc', ['math', 'paragraph']],
    ['$$a$$ b', ['paragraph']],
    ['$$\na', ['paragraph']],
    ['a\n$$\nb\n$$', ['paragraph', 'math']],
    ['a $$\nb\n$$\nc\n\n$$', ['paragraph', 'paragraph']],
    ['[a]: b\n[c]: d\ntext', ['definition', 'definition', 'paragraph']],
    ['[a]: b\n"title"\n===', ['definition', 'paragraph']],
    ['[a]: b\n---', ['definition', 'rule']],
    ['[a]: b\nc\n---', ['definition', 'heading']],
    ['[^1]: b\n\n[^2]: c', ['paragraph', 'paragraph']],
  ])('splits %j into %j', (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it.each([
    ['a table', '| a |\n| - |\n\n^id-1\n'],
    ['a table, without a blank line', '| a |\n| - |\n| b |\n^id\n'],
    ['a quote', '> a\n\n^id\n'],
    ['a list item', '- a\n\n^id\n\n'],
    ['code', '```\n```\n\n^id'],
    ['a formula', '$$\na\n$$\n^id'],
  ])('leaves a block id with %s before it', (_, text) => {
    expect(splitBlocks(text)).toHaveLength(1);
    expect(kinds(`${text}\n\nb`)).toHaveLength(2);
  });

  it('takes a block id after other blocks, or with text after it, for a paragraph', () => {
    expect(kinds('a\n\n^id')).toEqual(['paragraph', 'paragraph']);
    expect(kinds('# a\n\n^id')).toEqual(['heading', 'paragraph']);
    expect(kinds('> a\n\n^id\nb')).toEqual(['quote', 'paragraph']);
    expect(kinds('> a\n\n^i_d')).toEqual(['quote', 'paragraph']);
  });

  it.each(['\n', '\r\n', '\r'])('splits alike with %j as line end', (end) => {
    const text = [
      '# a',
      'b',
      'c',
      '-',
      '- d',
      '',
      '  e',
      '> f',
      '',
      'g | h',
      '- | :-',
      '-|-',
      '```',
      'x',
      '```',
    ].join(end);
    expect(kinds(text)).toEqual([
      'heading',
      'heading',
      'list_item',
      'quote',
      'paragraph',
      'list_item',
      'code',
    ]);
  });
});
