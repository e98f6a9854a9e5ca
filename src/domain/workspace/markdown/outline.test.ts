import { describe, expect, it } from 'vitest';
import { findSection, outline } from './outline.ts';

const page =
  '# Top\n\n## Setup\na\n### Linux\nb\n## Use\nc\n### Linux\nd\n# Setup\ne\n## Use\nf\n## Use\ng\n';

describe('outline', () => {
  it('gives each heading its section, path and ordinal', () => {
    const headings = outline(page);
    expect(headings.map(({ level, path, ordinal }) => [level, path.join(' / '), ordinal])).toEqual([
      [1, 'Top', 1],
      [2, 'Top / Setup', 1],
      [3, 'Top / Setup / Linux', 1],
      [2, 'Top / Use', 1],
      [3, 'Top / Use / Linux', 1],
      [1, 'Setup', 1],
      [2, 'Setup / Use', 1],
      [2, 'Setup / Use', 2],
    ]);
    expect(headings.map(({ start, end }) => page.slice(start, end))).toEqual([
      '# Top\n\n## Setup\na\n### Linux\nb\n## Use\nc\n### Linux\nd\n',
      '## Setup\na\n### Linux\nb\n',
      '### Linux\nb\n',
      '## Use\nc\n### Linux\nd\n',
      '### Linux\nd\n',
      '# Setup\ne\n## Use\nf\n## Use\ng\n',
      '## Use\nf\n',
      '## Use\ng\n',
    ]);
  });

  it.each([
    ['# a', 'a'],
    ['# a #', 'a'],
    ['## a ##   ', 'a'],
    ['# a#', 'a#'],
    ['# a \\#', 'a \\#'],
    ['#', ''],
    ['### ###', ''],
    ['  #\ta\tb', 'a\tb'],
    ['\ufeff\n# a', 'a'],
    ['a *b*\n  c\n===', 'a *b* c'],
    ['a\r\n---\r\n', 'a'],
    ['# a [[Note|x]] `c`', 'a [[Note|x]] `c`'],
    ['# a ^id-1', 'a'],
    ['# a^2', 'a^2'],
  ])('reads the title of %j as %j', (text, title) => {
    expect(outline(text).map((heading) => heading.title)).toEqual([title]);
  });

  it('passes over what is no heading of the page', () => {
    expect(
      outline('---\n# a\n---\n\n```\n# b\n```\n> # c\n\n- # d\n\n%%\n# e\n%%\n<!--\n# f\n-->\n#g'),
    ).toEqual([]);
  });

  it('handles levels that are left out', () => {
    expect(outline('### a\n# b\n#### c\n## d').map((heading) => heading.path)).toEqual([
      ['a'],
      ['b'],
      ['b', 'c'],
      ['b', 'd'],
    ]);
  });
});

describe('findSection', () => {
  const headings = outline(page);
  const find = (reference: string, ordinal?: number) => findSection(headings, reference, ordinal);

  it('finds a title, and a path with or without the levels between', () => {
    expect(find('Top')).toBe(headings[0]);
    expect(find('Top#Setup')).toBe(headings[1]);
    expect(find('Top#Setup#Linux')).toBe(headings[2]);
    expect(find('Setup#Linux')).toBe(headings[2]);
    expect(find('# Top')).toBe(headings[0]);
  });

  it('answers the candidates instead of guessing', () => {
    expect(find('Setup')).toEqual({ ambiguous: [headings[1], headings[5]] });
    expect(find('Linux')).toEqual({ ambiguous: [headings[2], headings[4]] });
    expect(find('Setup#Use')).toEqual({ ambiguous: [headings[6], headings[7]] });
  });

  it('tells headings of equal path apart by an ordinal', () => {
    expect(find('Setup#Use', 2)).toBe(headings[7]);
    expect(find('Setup', 1)).toBe(headings[5]);
    expect(find('Setup#Use', 3)).toMatchObject({ missing: true });
    expect(find('Linux', 1)).toMatchObject({ ambiguous: [{}, {}] });
  });

  it('never reads an order of titles that the page does not have', () => {
    expect(find('Linux#Setup')).toMatchObject({ missing: true });
    expect(find('Linux#Linux')).toMatchObject({ missing: true });
    expect(find('Top#Top')).toMatchObject({ missing: true });
  });

  it.each([
    ['# What’s new, in 2.0?', 'whats NEW in 20'],
    ['# foo-bar', 'Foo Bar'],
    ['# **Bold** `x`', 'bold x'],
    ['# [[Note|x]]', 'Note x'],
    ['# Ａ１', 'a1'],
    ['# C# guide', 'C# guide'],
    ['# C# guide', 'c# Guide'],
    ['# ...', '...'],
  ])('in %j finds %j', (text, reference) => {
    expect(findSection(outline(text), reference)).toMatchObject({ level: 1 });
  });

  it('prefers what is written exactly so to what folds to the same', () => {
    const close = outline('# C\n# c\n# re-set\n# reset');
    expect(findSection(close, 'c')).toBe(close[1]);
    expect(findSection(close, 'reset')).toBe(close[3]);
    expect(findSection(close, 'RESET')).toEqual({ ambiguous: [close[2], close[3]] });
  });

  it('reads a # as part of a title too', () => {
    const odd = outline('# A\n## B\n# A#B\n# A#C');
    expect(findSection(odd, 'A#C')).toBe(odd[3]);
    expect(findSection(odd, 'A#B')).toEqual({ ambiguous: [odd[1], odd[2]] });
  });

  it('names near titles when it misses, and nothing when none is near', () => {
    expect(find('Instal')).toEqual({ missing: true, near: [] });
    expect(find('Setups')).toEqual({ missing: true, near: ['Top#Setup', 'Setup'] });
    expect(find('')).toEqual({ missing: true, near: [] });
    expect(findSection([], 'x')).toEqual({ missing: true, near: [] });
  });
});
