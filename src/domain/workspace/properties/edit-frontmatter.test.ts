import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { times } from '../../../../test/support/random.ts';
import type { PropertyValue } from '../page.ts';
import { removeProperty, setProperty } from './edit-frontmatter.ts';
import { addItems, mapItems } from './frontmatter-list.ts';
import { readFrontmatter } from './frontmatter-yaml.ts';
import { propertyType } from './property-types.ts';

const PAGE = `---
# about
title: Hello   # greeting
empty:
tags:   # mine
  - a # first
  - "b c"
  # tail
flow: [x, y,  "z, w"]
block: |
  line 1
  line 2

nested:
  k: v
last: 'x'
# end
---
body: no

---
`;

const windows = (text: string): string => text.replaceAll('\n', '\r\n');

describe('[EDIT-10] a value in the frontmatter', () => {
  it.each<[string, string, PropertyValue, string, string]>([
    ['a word', 'title', 'Bye', 'Hello', 'Bye'],
    ['one that was empty', 'empty', 7, 'empty:', 'empty: 7'],
    ['a text that looks like a number', 'last', '12', "'x'", '"12"'],
    ['a date', 'last', '2026-01-31', "'x'", '2026-01-31'],
    ['a link', 'last', '[[Page]]', "'x'", '"[[Page]]"'],
    ['a text of several lines', 'last', 'a\nb', "'x'", '"a\\nb"'],
    ['a list where there was a text', 'last', ['p', 2], " 'x'", '\n  - p\n  - 2'],
    ['a list in brackets', 'flow', ['q', 'r, s'], '[x, y,  "z, w"]', '[q, "r, s"]'],
    ['a text of a block', 'block', 'short', '|\n  line 1\n  line 2\n', 'short\n'],
    ['a map', 'nested', true, '\n  k: v', ' true'],
    ['a list line by line', 'tags', ['n'], '  - a # first\n  - "b c"', '  - n'],
    ['nothing', 'last', null, " 'x'", ''],
    ['one more', 'new key', 'x: y', '# end\n', '# end\nnew key: "x: y"\n'],
  ])('becomes %s, and nothing else changes', (_, key, value, before, after) => {
    expect(setProperty(PAGE, key, value)).toBe(PAGE.replace(before, () => after));
    expect(setProperty(windows(PAGE), key, value)).toBe(windows(PAGE.replace(before, () => after)));
    expect(setProperty(`\uFEFF${PAGE}`, key, value)).toBe(`\uFEFF${PAGE.replace(before, () => after)}`);
  });

  it.each([
    ['title', 'title: Hello   # greeting\n'],
    ['empty', 'empty:\n'],
    ['tags', 'tags:   # mine\n  - a # first\n  - "b c"\n'],
    ['block', 'block: |\n  line 1\n  line 2\n'],
    ['nested', 'nested:\n  k: v\n'],
  ])('%s goes with its lines', (key, lines) => {
    expect(removeProperty(PAGE, key)).toBe(PAGE.replace(lines, ''));
    expect(removeProperty(windows(PAGE), key)).toBe(windows(PAGE.replace(lines, '')));
  });

  it('begins frontmatter where there is none, and takes it along when it was the last', () => {
    for (const text of ['', 'text', '# T\r\n', '\uFEFFtext', '---\n\nrule\n']) {
      const made = setProperty(text, 'a', [1, 'b']);
      expect(readFrontmatter(made)?.values).toEqual({ a: [1, 'b'] });
      expect(removeProperty(made, 'a')).toBe(text);
    }
    expect(setProperty('---\n---\ntext', 'a', 1)).toBe('---\na: 1\n---\ntext');
  });

  it.each([
    ['no YAML', '---\na: [\n---\n'],
    ['a map in braces', '---\n{a: 1}\n---\n'],
    ['a list', '---\n- a\n---\n'],
    ['an anchor that others need', '---\na: &x 1\nb: *x\n---\n'],
    ['an anchor that others would find elsewhere', '---\nz: &x 1\na: &x 2\nc: *x\n---\n'],
    ['more than is read', `---\na: ${'x'.repeat(70_000)}\n---\n`],
  ])('is left alone in frontmatter that is or has %s', (_, text) => {
    expect(() => setProperty(text, 'a', 2)).toThrow(expect.objectContaining({ code: 'conflict' }));
  });

  it('is one item more, one less or another, with the comments of the others', () => {
    expect(addItems(PAGE, 'tags', ['n', 'm'])).toBe(PAGE.replace('"b c"\n', '"b c"\n  - n\n  - m\n'));
    expect(addItems('---\ntags: [a]\n---\n', 'tags', ['b'])).toBe('---\ntags: [a, b]\n---\n');
    expect(addItems('---\ntags: a, b\n---\n', 'tags', ['c'])).toBe('---\ntags:\n  - a\n  - b\n  - c\n---\n');
    expect(mapItems(PAGE, 'tags', (item) => (item === 'a' ? 'z' : item))).toBe(
      PAGE.replace('- a #', '- z #'),
    );
    expect(mapItems(PAGE, 'flow', (item) => (item === 'y' ? 'n,m' : item))).toBe(
      PAGE.replace(' y,', ' "n,m",'),
    );
    expect(mapItems(PAGE, 'flow', (item) => (item === 'y' ? undefined : item))).toBe(
      PAGE.replace('[x, y,  "z, w"]', '[x, "z, w"]'),
    );
    expect(mapItems(PAGE, 'tags', (item) => item)).toBe(PAGE);
  });

  const value = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.string({ maxLength: 10, unit: 'grapheme' }),
    fc.constantFrom(
      'true',
      'null',
      '~',
      '- a',
      'a: b',
      '#x',
      '---',
      '...',
      '%',
      '@',
      '`',
      ' ',
      '\t',
      '*a',
      '&a',
      '!x',
      '? y',
      '1e3',
      '\u2028',
      '\u0085',
      'a\r\nb',
    ),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
    fc.boolean(),
  );
  const values = fc.oneof(value, fc.constant(null), fc.array(value, { maxLength: 4 }));
  const keys = fc.constantFrom(
    'title',
    'empty',
    'tags',
    'flow',
    'block',
    'nested',
    'last',
    'new',
    'null',
    '12',
    'a b',
  );

  it('whatever it is, is read back, and removed again leaves the rest', () => {
    fc.assert(
      fc.property(keys, values, fc.boolean(), (key, given, crlf) => {
        const text = crlf ? windows(PAGE) : PAGE;
        const before = readFrontmatter(text);
        const after = setProperty(text, key, given);
        expect(readFrontmatter(after)?.values).toEqual({ ...before?.values, [key]: given });
        expect(after.endsWith(text.slice(before?.end))).toBe(true);
        for (const line of ['# about', '# end', '  # tail']) expect(after).toContain(line);
        const gone = removeProperty(after, key);
        expect(readFrontmatter(gone)?.values).not.toHaveProperty(key);
        expect(gone.endsWith(text.slice(before?.end))).toBe(true);
      }),
      { numRuns: times(600, 50_000) },
    );
  });
});

it('[EDIT-11] the type of a property is told from its value', () => {
  const types = [
    'x',
    3,
    true,
    '2026-01-31',
    '2026-02-30',
    '2026-01-31T10:00',
    '2026-01-31 10:00:30Z',
    ['x'],
    '[[X]]',
    '![[X]]',
    null,
  ];
  expect(types.map((one) => propertyType(one as PropertyValue))).toEqual([
    'text',
    'number',
    'boolean',
    'date',
    'text',
    'datetime',
    'datetime',
    'list',
    'link',
    'link',
    null,
  ]);
});
