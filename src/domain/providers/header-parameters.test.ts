import { describe, expect, it } from 'vitest';
import { headerParameters, headerProblem } from './header-parameters.ts';

const schema = (properties: Record<string, unknown>, further: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...further,
});
const text = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });

describe('arguments that are repeated in headers', () => {
  it('[OAUTH-10] are found by the way to them', () => {
    const nested = schema({ region: text('Region'), inner: schema({ deep: text('Deep', 'integer') }) });
    expect(headerParameters(nested)).toEqual(
      expect.arrayContaining([
        { path: ['region'], name: 'Region' },
        { path: ['inner', 'deep'], name: 'Deep' },
      ]),
    );
    expect(headerProblem(nested)).toBeUndefined();
    expect(headerProblem(schema({ 'x-mcp-header': { type: 'string' } }))).toBeUndefined();
    expect(headerProblem(schema({ a: { enum: [{ 'x-mcp-header': '' }] } }))).toBeUndefined();
  });

  it.each([
    ['an empty name', schema({ a: text('') })],
    ['a name with a space', schema({ a: text('My Region') })],
    ['a line break', schema({ a: text('A\r\nX: y') })],
    ['no text', schema({ a: text(5) })],
    ['a fraction', schema({ a: text('A', 'number') })],
    ['an object', schema({ a: text('A', 'object') })],
    ['the same name twice', schema({ a: text('A'), b: text('a') })],
    ['a place in a list', schema({ a: { type: 'array', items: text('A') } })],
    ['one of several forms', schema({}, { anyOf: [schema({ a: text('A') })] })],
    ['the schema itself', { ...schema({}), 'x-mcp-header': 'A' }],
  ])('[OAUTH-10] hold a tool back that wants %s', (_, wanted) => {
    expect(headerProblem(wanted)).toMatch(/^wants/);
  });
});
