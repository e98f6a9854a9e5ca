import { describe, expect, it } from 'vitest';
import { describeChange } from './describe-change.ts';

describe('[MERGE-06] the account of a change', () => {
  it('counts characters and lines and shows what went and came', () => {
    expect(describeChange('a\nb\nc\n', 'a\nB\nc\nd\n')).toEqual({
      characters_before: 6,
      characters_after: 8,
      lines_added: 2,
      lines_removed: 1,
      diff: '-b\n+B\n+d',
    });
  });

  it('of nothing is nothing', () => {
    expect(describeChange('a\n', 'a\n')).toMatchObject({ lines_added: 0, lines_removed: 0, diff: '' });
  });

  it('knows that an empty text has no lines', () => {
    const one = { lines_added: 1, lines_removed: 0, diff: '+One.' };
    expect(describeChange('', 'One.')).toMatchObject(one);
    expect(describeChange('', 'One.\n')).toMatchObject(one);
    expect(describeChange('One.\n', '')).toMatchObject({ lines_added: 0, lines_removed: 1 });
    expect(describeChange('a\nb\n', 'a\n')).toMatchObject({ lines_added: 0, lines_removed: 1 });
  });

  it('is short, whatever changed', () => {
    const long = describeChange('', Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n'));
    expect(long.diff.split('\n')).toHaveLength(21);
    expect(long.diff).toContain('more lines');
    const wide = describeChange('', 'x'.repeat(1_000));
    expect(wide.diff.split('\n').every((line) => line.length <= 162)).toBe(true);
  });

  it('cuts no character in half', () => {
    expect(describeChange('', `${'x'.repeat(158)}🚀🚀`).diff.isWellFormed()).toBe(true);
  });

  it('bears texts of as many lines as a page can have', () => {
    const many = 'x\n'.repeat(700_000);
    expect(describeChange(many, '')).toMatchObject({ lines_removed: 700_000 });
    expect(describeChange('', many)).toMatchObject({ lines_added: 700_000 });
    expect(describeChange(many, `new\n${many}`)).toMatchObject({ lines_added: 1, lines_removed: 0 });
  });
});
