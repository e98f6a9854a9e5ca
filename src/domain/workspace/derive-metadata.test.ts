import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveMetadata } from './derive-metadata.ts';

describe('what a page says about itself', () => {
  it('reads tags, aliases and typed properties from frontmatter', () => {
    const text = [
      '---',
      'tags: [project, "area/home"]',
      'aliases:',
      '  - The First',
      '  - "Alpha, again"',
      'status: active',
      'rating: 4.5',
      'done: false',
      'due: 2026-01-31',
      'related: ["[[Beta]]", "[[Gamma]]"]',
      'nested: { a: 1 }',
      'empty:',
      '---',
      '# Alpha #inline',
      'Text with #another/tag and `#code`.',
    ].join('\n');
    expect(deriveMetadata(text)).toEqual({
      tags: ['project', 'area/home', 'inline', 'another/tag'],
      aliases: ['The First', 'Alpha, again'],
      properties: {
        status: 'active',
        rating: 4.5,
        done: false,
        due: '2026-01-31',
        related: ['[[Beta]]', '[[Gamma]]'],
        nested: '{"a":1}',
        empty: null,
      },
    });
  });

  it('takes tags written as one text, with or without #', () => {
    expect(deriveMetadata('---\ntags: "#one, two"\nalias: Solo\n---\n').tags).toEqual(['one', 'two']);
    expect(deriveMetadata('---\ntags: "#one, two"\nalias: Solo\n---\n').aliases).toEqual(['Solo']);
  });

  it('says what is wrong with frontmatter it cannot read, and still finds inline tags', () => {
    const { problem, tags } = deriveMetadata('---\na: [unclosed\n---\n#kept\n');
    expect(problem).toMatch(/not YAML/);
    expect(tags).toEqual(['kept']);
    expect(deriveMetadata('---\n- a\n- list\n---\n').problem).toMatch(/not a list of names/);
  });

  it('refuses aliases that multiply', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x,x]',
      ...'bcdefg'
        .split('')
        .map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[i]}`).join(',')}]`),
    ];
    expect(deriveMetadata(`---\n${bomb.join('\n')}\n---\n`).problem).toBeDefined();
  });

  it('keeps prototype keys out', () => {
    const { properties } = deriveMetadata('---\n__proto__: { polluted: true }\nok: 1\n---\n');
    expect(Object.keys(properties)).toEqual(['ok']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('never throws, whatever the frontmatter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { tags, properties } = deriveMetadata(`---\n${text}\n---\nbody`);
        expect(Array.isArray(tags)).toBe(true);
        JSON.stringify(properties);
      }),
    );
  });
});
