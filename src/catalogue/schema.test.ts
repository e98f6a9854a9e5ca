import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { zodSchema } from './schema.ts';

const schema = zodSchema(
  z.object({
    page: z.string().min(1).max(5),
    count: z.int().min(1).max(9).default(3),
    mode: z.enum(['a', 'b']).optional(),
    tags: z.array(z.string()).max(2).optional(),
    inner: z.object({ deep: z.boolean() }).optional(),
    name: z.string().regex(/^x/, 'use an x').optional(),
    value: z
      .union([z.string().max(3), z.null(), z.array(z.union([z.number(), z.boolean()])), z.enum(['long'])])
      .optional(),
  }),
  'input',
);

const issues = (value: unknown) => {
  const answer = schema.check(value);
  return answer.ok ? [] : answer.issues.map(({ field, wanted }) => `${field} ${wanted}`);
};

describe('[CAT-04] a schema', () => {
  it('drops unknown keys, at every level, and fills defaults', () => {
    expect(schema.check({ page: 'a', other: 1, inner: { deep: true, more: 2 } })).toEqual({
      ok: true,
      value: { page: 'a', count: 3, inner: { deep: true } },
    });
  });

  it.each<[string, unknown, string]>([
    ['a missing field', {}, 'page is required (string)'],
    ['a wrong type', { page: 7 }, 'page must be a string'],
    ['nothing where text belongs', { page: null }, 'page must be a string'],
    ['too long a text', { page: 'abcdef' }, 'page must be at most 5 characters long'],
    ['too short a text', { page: '' }, 'page must be at least 1 characters long'],
    ['too large a number', { page: 'a', count: 10 }, 'count must be at most 9'],
    ['no whole number', { page: 'a', count: 1.5 }, 'count must be a whole number'],
    ['a value that is none of several', { page: 'a', mode: 'c' }, 'mode must be one of "a", "b"'],
    ['too many items', { page: 'a', tags: ['x', 'y', 'z'] }, 'tags must be at most 2 items long'],
    ['a wrong item', { page: 'a', tags: ['x', 1] }, 'tags.1 must be a string'],
    ['something deeper', { page: 'a', inner: { deep: 1 } }, 'inner.deep must be a boolean'],
    ['a wrong form', { page: 'a', name: 'y' }, 'name use an x'],
    [
      'each type there may be',
      { page: 'a', value: { b: 1 } },
      'value must be a string, null, an array or one of "long"',
    ],
    [
      'what is wrong in the type that was chosen',
      { page: 'a', value: [1, 'x'] },
      'value.1 must be a number or a boolean',
    ],
  ])('names %s and what is wanted', (_, value, problem) => expect(issues(value)).toEqual([problem]));

  it.each([undefined, null, 7, 'text', []])('refuses %j as a whole', (value) => {
    expect(issues(value)[0]).toMatch(/^ (is required|must be an object)/);
  });

  it('names at most eight fields', () => {
    const many = zodSchema(z.object({ list: z.array(z.string()) }), 'input');
    const answer = many.check({ list: Array.from({ length: 50 }, (_, i) => i) });
    expect(answer.ok ? [] : answer.issues).toHaveLength(8);
  });

  it('shows the wire what it takes: an object, defaults optional, nothing said about unknown keys', () => {
    expect(schema.json).toMatchObject({ type: 'object', required: ['page'] });
    expect(JSON.stringify(schema.json)).not.toContain('additionalProperties');
    expect(schema.json).not.toHaveProperty('$schema');
    expect(JSON.parse(JSON.stringify(schema.json))).toEqual(schema.json);
    const answer = zodSchema(z.object({ a: z.object({ b: z.string() }) }), 'output');
    expect(JSON.stringify(answer.json)).not.toContain('additionalProperties');
    expect(answer.json).toMatchObject({ properties: { a: { required: ['b'] } }, required: ['a'] });
  });
});
