import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../test/support/seed.ts';
import { MAX_NAME_LENGTH, providerToolName, withoutDots } from './provider-names.ts';

const id = fc.stringMatching(/^[a-z](?:[a-z0-9]|_[a-z0-9]){0,15}$/);
const tool = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9_])?$/),
  fc.stringMatching(/^a[_.]{0,6}b$/),
);

const formsOf = (of: { id: string; tool: string }): readonly string[] => {
  const name = providerToolName(of.id, of.tool);
  return [name, withoutDots(name)];
};

describe("the names of a provider's tool", () => {
  it.each([
    ['files', 'read_file', 'files.read_file', 'files__read_file'],
    ['a_b', 'c', 'a_b.c', 'a_b__c'],
    ['a', 'b_c', 'a.b_c', 'a__b_c'],
    ['files', 'x.y', 'files.x.y', expect.stringMatching(/^files__x_y_[0-9a-f]{8}$/)],
    [
      'files',
      'x'.repeat(100),
      expect.stringMatching(/^files\.x{48}_[0-9a-f]{8}$/),
      expect.stringMatching(/^files__x{48}_[0-9a-f]{8}$/),
    ],
  ])('[TSET-01] of %s %s are what people expect', (provider, name, dotted, underscore) => {
    expect(formsOf({ id: provider, tool: name })).toEqual([dotted, underscore]);
  });

  it('[TSET-01] fit every client and belong to nobody else', () => {
    fc.assert(
      fc.property(fc.record({ id, tool }), fc.record({ id, tool }), (one, other) => {
        const [dotted = '', underscore = ''] = formsOf(one);
        expect(dotted.length).toBeLessThanOrEqual(MAX_NAME_LENGTH);
        expect(underscore).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        const shared = formsOf(other).filter((name) => formsOf(one).includes(name));
        if (one.id !== other.id || one.tool !== other.tool) expect(shared).toEqual([]);
      }),
      { seed: testSeed(), numRuns: 2_000 },
    );
  });
});
