import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../../test/support/seed.ts';
import { createIdSource } from '../../kernel/ids.ts';
import { alignBlocks, type BlockEntry } from './block-index.ts';

const ids = createIdSource({ now: () => 1 });
const index = (text: string): readonly BlockEntry[] => alignBlocks(text, [], ids);

/** Ids of the blocks after a change, by the text of each block. */
function changing(before: string, text: string): { old: Map<string, string>; now: Map<string, string> } {
  const first = index(before);
  const second = alignBlocks(text, first, ids, before);
  const named = (source: string, blocks: readonly BlockEntry[]) =>
    new Map(blocks.map(({ id, start, end }) => [source.slice(start, end).trim(), id as string]));
  return { old: named(before, first), now: named(text, second) };
}

const BASE =
  '# Title\n\nFirst paragraph here.\n\nSecond paragraph here.\n\n- item\n\nThird paragraph here.\n';

describe('[MERGE-07] a block keeps its id', () => {
  it('while it is unchanged, wherever it goes in order', () => {
    const { old, now } = changing(
      BASE,
      BASE.replace('- item\n\n', '').replace('# Title', '# Title\n\nNew one.'),
    );
    for (const text of [
      '# Title',
      'First paragraph here.',
      'Second paragraph here.',
      'Third paragraph here.',
    ]) {
      expect(now.get(text)).toBe(old.get(text));
    }
    expect([...old.values()]).not.toContain(now.get('New one.'));
  });

  it('when it is changed lightly', () => {
    const { old, now } = changing(
      BASE,
      BASE.replace('Second paragraph here.', 'Second paragraph, changed here.'),
    );
    expect(now.get('Second paragraph, changed here.')).toBe(old.get('Second paragraph here.'));
  });

  it('when it is changed and another is put before it', () => {
    const changed = 'Second paragraph, changed here.';
    const { old, now } = changing(
      BASE,
      BASE.replace('Second paragraph here.', `Something else entirely.\n\n${changed}`),
    );
    expect(now.get(changed)).toBe(old.get('Second paragraph here.'));
    expect([...old.values()]).not.toContain(now.get('Something else entirely.'));
  });

  it('when it is changed and the one before it goes', () => {
    const changed = 'Second paragraph, changed here.';
    const { old, now } = changing(
      BASE,
      BASE.replace('First paragraph here.\n\n', '').replace('Second paragraph here.', changed),
    );
    expect(now.get(changed)).toBe(old.get('Second paragraph here.'));
  });

  it('but not as a block of another kind', () => {
    const { old, now } = changing(BASE, BASE.replace('- item', 'item'));
    expect(now.get('item')).not.toBe(old.get('- item'));
  });

  it('and gives it to no other', () => {
    const texts = fc.array(
      fc.constantFrom('alpha beta', 'alpha gamma', '# alpha', '- alpha', 'delta', 'delta', '> epsilon'),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const [before, text] = [one.join('\n\n'), other.join('\n\n')];
        const first = index(before);
        const second = alignBlocks(text, first, ids, before);
        expect(new Set(second.map(({ id }) => id)).size).toBe(second.length);
        expect(second.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
        expect(alignBlocks(text, second, ids, text)).toEqual(second);
      }),
      { seed: testSeed(), numRuns: 300 },
    );
  });

  it('on a page of twenty thousand blocks', () => {
    const blocks = Array.from({ length: 20_000 }, (_, i) => `Paragraph number ${i}.`);
    const before = blocks.join('\n\n');
    const first = index(before);
    const text = blocks.map((block, i) => (i % 100 === 0 ? `${block} Changed.` : block)).join('\n\n');
    const second = alignBlocks(text, first, ids, before);
    expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    const rewritten = alignBlocks(
      blocks.map((block) => block.toUpperCase()).join('\n\n'),
      first,
      ids,
      before,
    );
    expect(rewritten).toHaveLength(20_000);
  });
});
