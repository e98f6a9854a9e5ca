import { describe, expect, it } from 'vitest';
import { isEndless } from './endless-pattern.ts';

describe('[FIRE-58] patterns', () => {
  it.each([
    '^(a+)+$',
    '^(a*)*$',
    '(a|a)*b',
    '(\\w|\\d)+x',
    '^(\\w+\\s?)*$',
    '(.*a){30}',
    '((ab)+)+c',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?:[a-z]+-?)*$',
    '(x+x+)+y',
    'a'.repeat(3_000),
  ])('%s can run for ever', (pattern) => {
    expect(isEndless(pattern)).toBe(true);
  });

  it.each([
    '^[a-z0-9]+(-[a-z0-9]+)*$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
    '^(https?|ftp)://[^\\s/$.?#].[^\\s]*$',
    '^(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?$',
    '^v?\\d+(\\.\\d+){2}(-[0-9A-Za-z.]+)?$',
    '^([0-9a-f]{2}:){5}[0-9a-f]{2}$',
    '^[A-Z][A-Za-z]*( [A-Z][A-Za-z]*)*$',
    '^\\p{L}+$',
    '(unclosed',
    '[',
    '',
  ])('%s cannot', (pattern) => {
    expect(isEndless(pattern)).toBe(false);
  });
});
