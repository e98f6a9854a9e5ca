import { describe, expect, it } from 'vitest';
import { findAnchors } from './find-anchors.ts';

const ids = (text: string) => findAnchors(text).map((found) => found.id);

describe('findAnchors', () => {
  it('answers where each id stands', () => {
    const text = 'a ^one\r\n> b ^t-2  \n\n^three';
    const found = findAnchors(text);
    expect(found.map(({ id }) => id)).toEqual(['one', 't-2', 'three']);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(['^one', '^t-2', '^three']);
  });

  it.each([
    ['- a ^x\n  - b ^y', ['x', 'y']],
    ['# a ^x', ['x']],
    ['| a |\n| - |\n\n^x', ['x']],
    ['| a |\n| - |\n^x', ['x']],
    ['a ^x b', []],
    ['a^x', []],
    ['a ^x_y', []],
    ['a ^größe', []],
    ['a ^', []],
    ['[[a#^x]]', []],
    ['`a\n ^x\nb`', []],
    ['$a\n ^x\nb$', []],
    ['```\na ^x\n```', []],
    ['| a ^x |\n| - |', []],
    ['---\na: ^x\n---', []],
  ])('in %j finds %j', (text, expected) => {
    expect(ids(text)).toEqual(expected);
  });
});
