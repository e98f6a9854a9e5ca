import { describe, expect, it } from 'vitest';
import { sentenceAround } from './sentence-around.ts';

const around = (text: string, what = '[[X]]') => {
  const start = text.indexOf(what);
  return sentenceAround(text, { start, end: start + what.length });
};

describe('[LINK-10] the context of a link', () => {
  it.each([
    ['First. See [[X]] for more. Last.', 'See [[X]] for more.'],
    ['Line one\nabout [[X]] here\nline three', 'about [[X]] here'],
    ['[[X]]', '[[X]]'],
    ['Really? Yes! [[X]]! No.', '[[X]]!'],
    ['Version 1.2 of [[X]] is out', 'Version 1.2 of [[X]] is out'],
    ['これは[[X]]です。次の文。', 'これは[[X]]です。'],
    ['- item with [[X]]\n- other', '- item with [[X]]'],
  ])('is its sentence or line: %s', (text, expected) => expect(around(text)).toBe(expected));

  it('is short in an enormous line, and cuts no character in half', () => {
    const long = around(`${'🚀'.repeat(5_000)}[[X]]${'🚀'.repeat(5_000)}`);
    expect(long.length).toBeLessThanOrEqual(330);
    expect(long).toContain('[[X]]');
    expect(long.isWellFormed()).toBe(true);
  });
});
