import { describe, expect, it } from 'vitest';
import { MAX_BLOCKS, MAX_CONTENT_BYTES } from './page.ts';
import { checkBlockCount, checkContent, checkProperties, checkTags } from './page-rules.ts';

const wrong = (field: string) => expect.objectContaining({ code: 'invalid_input', details: { field } });

describe('[PAGE-08] the content of a page', () => {
  it('has at most two mebibytes', () => {
    const most = 'é'.repeat(MAX_CONTENT_BYTES / 2);
    expect(checkContent(most)).toBe(most);
    expect(() => checkContent(`${most}x`)).toThrow(wrong('content'));
  });

  it('has at most twenty thousand blocks', () => {
    expect(() => checkBlockCount(MAX_BLOCKS)).not.toThrow();
    expect(() => checkBlockCount(MAX_BLOCKS + 1)).toThrow(wrong('content'));
  });

  it('is text that can be kept byte for byte', () => {
    expect(checkContent('\ufeff\u0001\r\n\r\n\u2028')).toBe('\ufeff\u0001\r\n\r\n\u2028');
    for (const text of ['a\0b', 'a\ud800', '\udfff'])
      expect(() => checkContent(text)).toThrow(wrong('content'));
  });
});

describe('[PAGE-09] tags', () => {
  it.each([
    'a',
    'Project/2026',
    'to-do',
    'snake_case',
    'größe',
    '日本語',
    'हिन्दी',
    'cafe\u0301',
    '🚀',
    '👩‍💻',
    '1a',
    'y1984',
  ])('may be %s', (tag) => expect(checkTags([tag])).toEqual([tag]));

  it.each(['', ' ', 'a b', '#a', '1984', '٣', 'a.b', 'a,b', 'a\nb', 'x'.repeat(101), '<b>'])(
    'may not be "%s"',
    (tag) => {
      expect(() => checkTags(['fine', tag])).toThrow(wrong('tags'));
    },
  );

  it('are kept once, whatever their case, as first written', () => {
    expect(checkTags(['Foo', 'bar', 'foo', 'FOO', 'bar'])).toEqual(['Foo', 'bar']);
  });

  it('are at most a hundred', () => {
    const many = Array.from({ length: 100 }, (_, i) => `t${i}`);
    expect(checkTags(many)).toHaveLength(100);
    expect(() => checkTags([...many, 'one-more'])).toThrow(wrong('tags'));
  });
});

describe('[PAGE-10] properties', () => {
  it('keep their values and types', () => {
    const given = {
      due: '2026-01-01',
      'my key': 3,
      'größe.x': true,
      none: null,
      list: ['a', 1, false],
      text: '\\u0000',
    };
    expect(checkProperties(given)).toEqual(given);
  });

  it.each(['', 'a/b', 'a:b', 'a\nb', '__proto__', 'x'.repeat(101), '"'])('may not be called "%s"', (key) => {
    const given = JSON.parse(`{${JSON.stringify(key)}:1}`);
    expect(() => checkProperties(given)).toThrow(wrong(`properties.${key}`));
  });

  it.each([['a\0b'], [['fine', 'a\0b']]])('hold no NUL: %j', (value) => {
    expect(() => checkProperties({ key: value })).toThrow(wrong('properties.key'));
  });

  it('are at most a hundred', () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, i]));
    expect(() => checkProperties(many)).toThrow(wrong('properties'));
  });
});
