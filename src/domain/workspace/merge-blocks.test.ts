import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../../test/support/seed.ts';
import { type Merge, mergeBlocks } from './merge-blocks.ts';

const textOf = (merge: Merge): string => {
  if (!merge.ok) throw new Error(`conflict: ${JSON.stringify(merge.conflicts)}`);
  return merge.text;
};

const BASE = '# Title\n\nOne.\n\nTwo.\n\nThree.\n';

describe('[MERGE-01] a merge takes what one side changed', () => {
  it('when only one of them changed anything', () => {
    expect(textOf(mergeBlocks(BASE, BASE, 'New'))).toBe('New');
    expect(textOf(mergeBlocks(BASE, 'New', BASE))).toBe('New');
    expect(textOf(mergeBlocks(BASE, BASE, BASE))).toBe(BASE);
  });

  it('and what both changed alike once', () => {
    expect(textOf(mergeBlocks(BASE, 'New', 'New'))).toBe('New');
    const both = BASE.replace('Two', '2');
    const head = both.replace('One', '1');
    const yours = both.replace('Three', '3');
    expect(textOf(mergeBlocks(BASE, head, yours))).toBe('# Title\n\n1.\n\n2.\n\n3.\n');
  });

  it.each([
    ['in blocks apart', 'One.', 'Three.'],
    ['in neighbouring blocks', 'One.', 'Two.'],
    ['in the first block and the last', '# Title', 'Three.'],
  ])('when both changed something, %s', (_, first, second) => {
    const head = BASE.replace(first, `${first} head`);
    const yours = BASE.replace(second, `${second} yours`);
    const expected = head.replace(second, `${second} yours`);
    expect(textOf(mergeBlocks(BASE, head, yours))).toBe(expected);
    expect(textOf(mergeBlocks(BASE, yours, head))).toBe(expected);
  });

  it('when one deleted a block that the other left alone', () => {
    const head = BASE.replace('Two.\n\n', '');
    const yours = BASE.replace('Three.', '3.');
    expect(textOf(mergeBlocks(BASE, head, yours))).toBe('# Title\n\nOne.\n\n3.\n');
    expect(textOf(mergeBlocks(BASE, yours, head))).toBe('# Title\n\nOne.\n\n3.\n');
  });

  it('when both inserted at different places', () => {
    const head = BASE.replace('One.', 'Zero.\n\nOne.');
    const yours = `${BASE}\nFour.\n`;
    expect(textOf(mergeBlocks(BASE, head, yours))).toBe(
      '# Title\n\nZero.\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n',
    );
  });

  it('when one inserted next to what the other changed', () => {
    const head = BASE.replace('Two.', 'Two, changed.');
    const yours = BASE.replace('Two.', 'Before.\n\nTwo.\n\nAfter.');
    expect(textOf(mergeBlocks(BASE, head, yours))).toBe(
      '# Title\n\nOne.\n\nBefore.\n\nTwo, changed.\n\nAfter.\n\nThree.\n',
    );
  });

  it('when both inserted the same at the same place, once', () => {
    const head = `${BASE}\nFour.\n`;
    const yours = `${BASE.replace('One', '1')}\nFour.\n`;
    expect(textOf(mergeBlocks(BASE, head, yours))).toBe('# Title\n\n1.\n\nTwo.\n\nThree.\n\nFour.\n');
  });

  it('into an empty page and out of it', () => {
    expect(textOf(mergeBlocks('', 'A\n', ''))).toBe('A\n');
    expect(mergeBlocks('', 'A\n', 'B\n').ok).toBe(false);
    expect(mergeBlocks('A\n', '', 'B\n').ok).toBe(false);
    expect(textOf(mergeBlocks('A\n', '', 'A\n'))).toBe('');
  });
});

describe('[MERGE-02] a merge is a conflict, with both texts,', () => {
  it('where both changed the same block differently', () => {
    const merge = mergeBlocks(
      BASE,
      BASE.replace('Two.', 'Two by head.'),
      BASE.replace('Two.', 'Two by you.'),
    );
    expect(merge).toEqual({
      ok: false,
      conflicts: [{ base: 'Two.\n\n', head: 'Two by head.\n\n', yours: 'Two by you.\n\n' }],
    });
  });

  it.each([
    ['head', BASE.replace('Two.\n\n', ''), BASE.replace('Two.', 'Two, changed.')],
    ['you', BASE.replace('Two.', 'Two, changed.'), BASE.replace('Two.\n\n', '')],
  ])('where one changed what %s deleted', (_, head, yours) => {
    const merge = mergeBlocks(BASE, head, yours);
    expect(merge.ok).toBe(false);
    expect(JSON.stringify(merge)).toContain('Two, changed.');
  });

  it('where both inserted different things at the same place', () => {
    const merge = mergeBlocks(BASE, `${BASE}\nBy head.\n`, `${BASE}\nBy you.\n`);
    expect(merge).toEqual({ ok: false, conflicts: [{ base: '', head: 'By head.\n', yours: 'By you.\n' }] });
  });

  it('and says all of them', () => {
    const head = BASE.replace('One', 'h1').replace('Three', 'h3');
    const yours = BASE.replace('One', 'y1').replace('Three', 'y3');
    const merge = mergeBlocks(BASE, head, yours);
    expect(merge.ok ? [] : merge.conflicts).toHaveLength(2);
  });

  it('where a fence that one opened swallows what the other changed', () => {
    const base = 'a\n\nb\n\nc\n';
    const merge = mergeBlocks(base, '```\na\n\nb\n\nc\n', 'a\n\nb, changed\n\nc\n');
    expect(merge.ok).toBe(false);
  });
});

describe('[MERGE-03] blocks of a merge are', () => {
  it('the items of a list', () => {
    const base = '- milk\n- bread\n- eggs\n';
    const merged = mergeBlocks(base, '- oat milk\n- bread\n- eggs\n', '- milk\n- bread\n- six eggs\n- tea\n');
    expect(textOf(merged)).toBe('- oat milk\n- bread\n- six eggs\n- tea\n');
  });

  it('an item with what is indented below it', () => {
    const base = '- a\n  - a1\n- b\n';
    expect(textOf(mergeBlocks(base, '- a\n  - a1 changed\n- b\n', '- a\n  - a1\n- b changed\n'))).toBe(
      '- a\n  - a1 changed\n- b changed\n',
    );
    expect(mergeBlocks(base, '- a\n  - a1 h\n- b\n', '- a y\n  - a1\n- b\n').ok).toBe(false);
  });

  it('a whole table, a whole fence, the whole frontmatter', () => {
    const table = 'x\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\ny\n';
    expect(mergeBlocks(table, table.replace('1', '9'), table.replace('2', '8')).ok).toBe(false);
    expect(textOf(mergeBlocks(table, table.replace('1', '9'), table.replace('y', 'z')))).toBe(
      'x\n\n| a | b |\n| - | - |\n| 9 | 2 |\n\nz\n',
    );
    const fence = 'x\n\n```js\na();\n\nb();\n```\n\ny\n';
    expect(mergeBlocks(fence, fence.replace('a()', 'aa()'), fence.replace('b()', 'bb()')).ok).toBe(false);
    const front = '---\na: 1\nb: 2\n---\n\ntext\n';
    expect(mergeBlocks(front, front.replace('1', '9'), front.replace('2', '8')).ok).toBe(false);
  });

  it('paragraphs, whose lines are one', () => {
    const base = 'line one\nline two\n\nother\n';
    expect(mergeBlocks(base, base.replace('one', '1'), base.replace('two', '2')).ok).toBe(false);
  });
});

describe('[MERGE-04] blank lines and line ends', () => {
  it('are no conflict: who changed them is followed, the longer gap if both did', () => {
    const base = 'a\n\nb\n\nc\n';
    expect(textOf(mergeBlocks(base, 'a\n\n\nb\n\nc\n', 'a\n\nb\n\nC\n'))).toBe('a\n\n\nb\n\nC\n');
    expect(textOf(mergeBlocks(base, 'a\n\n\nb\n\nc\n', 'a\n\n\n\nb\n\nC\n'))).toBe('a\n\n\n\nb\n\nC\n');
  });

  it('of Windows stay', () => {
    const base = '# T\r\n\r\nOne.\r\n\r\nTwo.\r\n';
    const merged = textOf(mergeBlocks(base, base.replace('One', '1'), `${base}\r\nThree.\r\n`));
    expect(merged).toBe('# T\r\n\r\n1.\r\n\r\nTwo.\r\n\r\nThree.\r\n');
  });

  it('at the end of a text without one: nothing runs together', () => {
    expect(textOf(mergeBlocks('a\n\nb', 'A\n\nb', 'a\n\nb\n\nc'))).toBe('A\n\nb\n\nc');
    expect(textOf(mergeBlocks('a', 'a', 'a\n\nb'))).toBe('a\n\nb');
    expect(textOf(mergeBlocks('a\n\nb', 'b', 'a\n\nb\n\nc'))).toBe('b\n\nc');
    expect(textOf(mergeBlocks('b', 'a\n\nb', 'b\n\nc'))).toBe('a\n\nb\n\nc');
    expect(textOf(mergeBlocks('- a\n- b', '- A\n- b', '- a\n- b\n- c'))).toBe('- A\n- b\n- c');
    expect(textOf(mergeBlocks('a\n\nb', 'a\n\nb\n\nc', 'a'))).toBe('a\n\nc');
    expect(textOf(mergeBlocks('a\r\n\r\nb', 'a\r\n\r\nb\r\n\r\nc', 'a'))).toBe('a\r\n\r\nc');
  });

  it('that only one side added at the end stay added', () => {
    expect(textOf(mergeBlocks('a\n\nb', 'A\n\nb', 'a\n\nb\n'))).toBe('A\n\nb\n');
  });
});

/** Pages made of blocks that are all different, so that what became of each can be told. */
const block = fc.constantFrom(
  ...[
    'para',
    'line one\nline two',
    '# head',
    '- item',
    '> quote',
    '```\ncode\n\nmore\n```',
    '| a |\n| - |\n| 1 |',
  ],
);
const numbered = (blocks: readonly string[], mark: string): string[] =>
  blocks.map((text, i) => text.replace(/(para|one|head|item|quote|code|1)/, `$1 ${mark}${i}`));

const edit = fc.record({
  at: fc.nat({ max: 20 }),
  kind: fc.constantFrom('change', 'delete', 'insert'),
  text: block,
});

function edited(
  blocks: readonly string[],
  edits: readonly { at: number; kind: string; text: string }[],
  mark: string,
) {
  const result = blocks.map((text) => text as string | null);
  const inserted = new Map<number, string>();
  for (const [n, { at, kind, text }] of edits.entries()) {
    const i = at % Math.max(1, blocks.length);
    if (kind === 'change') result[i] = blocks[i]?.replace(/ b\d+/, (found) => `${found} ${mark}${n}`) ?? null;
    else if (kind === 'delete') result[i] = null;
    else inserted.set(i, numbered([text], `${mark}${n}-`)[0] ?? text);
  }
  const all = result.flatMap((text, i) => [
    ...(inserted.has(i) ? [inserted.get(i) ?? ''] : []),
    ...(text === null ? [] : [text]),
  ]);
  return all.length === 0 ? '' : `${all.join('\n\n')}\n`;
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
/** Lines that occur once, because they carry the number of their block. */
const marked = (text: string): string[] => lines(text).filter((line) => /\b[bhy]\d/.test(line));

describe('[MERGE-05] for any three texts', () => {
  const texts = fc
    .record({
      blocks: fc.array(block, { maxLength: 8 }),
      head: fc.array(edit, { maxLength: 3 }),
      yours: fc.array(edit, { maxLength: 3 }),
    })
    .map(({ blocks, head, yours }) => {
      const parts = numbered(blocks, 'b');
      return {
        base: parts.length === 0 ? '' : `${parts.join('\n\n')}\n`,
        head: edited(parts, head, 'h'),
        yours: edited(parts, yours, 'y'),
      };
    });
  const wild = fc.array(
    fc.constantFrom('a', 'b', 'c\nd', '# h', '- i', '- j', '```', '|x|\n|-|', '', '\r\n', ' ', '---', '> q'),
    { maxLength: 10 },
  );
  const settings = { seed: testSeed(), numRuns: 600 };

  it('success does not depend on who was first', () => {
    fc.assert(
      fc.property(texts, ({ base, head, yours }) => {
        const [one, other] = [mergeBlocks(base, head, yours), mergeBlocks(base, yours, head)];
        expect(other.ok).toBe(one.ok);
        if (one.ok && other.ok) expect(lines(other.text)).toEqual(lines(one.text));
      }),
      settings,
    );
  });

  it('every line comes from one of them, and what either added is there', () => {
    fc.assert(
      fc.property(texts, ({ base, head, yours }) => {
        const merge = mergeBlocks(base, head, yours);
        if (!merge.ok) {
          for (const { head: theirs, yours: ours } of merge.conflicts) {
            expect(head).toContain(theirs.trim());
            expect(yours).toContain(ours.trim());
          }
          return;
        }
        for (const line of lines(merge.text))
          expect(lines(head).includes(line) || lines(yours).includes(line)).toBe(true);
        const [inBase, inHead, inYours, merged] = [
          new Set(marked(base)),
          new Set(marked(head)),
          new Set(marked(yours)),
          new Set(marked(merge.text)),
        ];
        for (const line of inHead.union(inYours).difference(inBase)) expect(merged).toContain(line);
        // What both kept is kept, what one deleted is gone.
        for (const line of inBase) expect(merged.has(line)).toBe(inHead.has(line) && inYours.has(line));
      }),
      settings,
    );
  });

  it('a merge can be merged again: with itself as head, nothing changes', () => {
    fc.assert(
      fc.property(texts, ({ base, head, yours }) => {
        const merge = mergeBlocks(base, head, yours);
        if (!merge.ok) return;
        expect(textOf(mergeBlocks(base, merge.text, merge.text))).toBe(merge.text);
        expect(textOf(mergeBlocks(head, merge.text, head))).toBe(merge.text);
      }),
      settings,
    );
  });

  it('whatever they are, there is an answer', () => {
    fc.assert(
      fc.property(wild, wild, wild, (base, head, yours) => {
        const merge = mergeBlocks(base.join('\n'), head.join('\n'), yours.join('\n'));
        if (!merge.ok) expect(merge.conflicts.length).toBeGreaterThan(0);
        const other = mergeBlocks(base.join('\n'), yours.join('\n'), head.join('\n'));
        expect(other.ok).toBe(merge.ok);
      }),
      settings,
    );
  });
});
