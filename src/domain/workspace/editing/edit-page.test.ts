import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { times } from '../../../../test/support/random.ts';
import { SluiceError } from '../../../kernel/errors.ts';
import type { IdSource } from '../../../kernel/ids.ts';
import { alignBlocks, type BlockEntry } from '../block-index.ts';
import { splitBlocks } from '../markdown/split-blocks.ts';
import { gapStart } from '../merge-blocks.ts';
import type { Edit } from './edit.ts';
import { applyEdits } from './edit-page.ts';

/** Blocks are called b0, b1 and so on, in their order. */
function indexOf(text: string): readonly BlockEntry[] {
  let n = 0;
  const ids: IdSource = { next: () => `b${n++}` as never };
  return alignBlocks(text, [], ids);
}

const edit = (text: string, ...edits: Edit[]): string => applyEdits(text, indexOf(text), edits);

const textsOf = (text: string): string[] =>
  splitBlocks(text).map(({ start, end }) => text.slice(start, gapStart(text, start, end)));

function refusal(run: () => unknown): SluiceError {
  try {
    run();
  } catch (error) {
    if (error instanceof SluiceError) return error;
    throw error;
  }
  throw new Error('It was not refused');
}

const PAGE = '---\na: 1\n---\n# One\n\nfirst\n\n## Sub\n\nbelow ^b\n\n# Two\n\n- x\n- y\n\n# One\n\nlast\n';

describe('[EDIT-01] an edit changes its place', () => {
  it.each<[string, Edit, string, string]>([
    ['a text, once', { op: 'replace_text', find: 'first', text: '1st' }, 'first', '1st'],
    [
      'a text in one section',
      { op: 'replace_text', find: '# One', text: '# 1', section: 'One#2' },
      '# One\n\nlast',
      '# 1\n\nlast',
    ],
    ['the end of the page', { op: 'append', text: 'end' }, 'last\n', 'last\n\nend\n'],
    [
      'the beginning, below frontmatter',
      { op: 'prepend', text: 'top\n' },
      '---\n# One',
      '---\n\ntop\n\n# One',
    ],
    [
      'the end of what a heading itself holds',
      { op: 'append', section: { heading: 'One', ordinal: 1 }, text: 'more' },
      'first\n',
      'first\n\nmore\n',
    ],
    [
      'behind the subsections, by a subsection',
      { op: 'append', section: 'One#1', text: '## New' },
      '^b\n',
      '^b\n\n## New\n',
    ],
    [
      'the beginning of a section',
      { op: 'prepend', section: 'Two', text: '\nintro\n\n' },
      '- x',
      'intro\n\n- x',
    ],
    ['before a section', { op: 'insert_before', section: 'One > Sub', text: 'x' }, '## Sub', 'x\n\n## Sub'],
    ['behind a whole section', { op: 'insert_after', section: 'ONE #1', text: 'x' }, '# Two', 'x\n\n# Two'],
    [
      'all that is below a heading',
      { op: 'replace_section', section: 'one#1', text: 'new' },
      'first\n\n## Sub\n\nbelow ^b',
      'new',
    ],
    ['a section made empty', { op: 'replace_section', section: 'Two', text: '' }, '- x\n- y\n\n', ''],
    ['a block', { op: 'replace_block', block: 'b2', text: 'B\n' }, 'first', 'B'],
    ['a block by its anchor', { op: 'replace_block', block: '^b', text: 'B' }, 'below ^b', 'B'],
    ['a block taken away', { op: 'delete_block', block: 'b2' }, 'first\n\n', ''],
    [
      'the last block, with the line end of the page',
      { op: 'delete_block', block: 'b9' },
      '# One\n\nlast\n',
      '# One\n',
    ],
    ['an item more in a list', { op: 'insert_after', block: 'b6', text: '- new' }, '- x\n', '- x\n- new\n'],
    [
      'a line more in a block',
      { op: 'append', block: 'b2', text: 'and second' },
      'first\n',
      'first\nand second\n',
    ],
    ['a line more before it', { op: 'prepend', block: 'b2', text: 'zeroth' }, 'first\n', 'zeroth\nfirst\n'],
    ['a block moved', { op: 'move_block', block: 'b6', after: 'b7' }, '- x\n- y', '- y\n- x'],
    [
      'a block moved to a section',
      { op: 'move_block', block: 'b2', section: 'One#2' },
      PAGE.slice(20),
      '## Sub\n\nbelow ^b\n\n# Two\n\n- x\n- y\n\n# One\n\nlast\n\nfirst\n',
    ],
  ])('%s', (_, wish, before, after) => {
    expect(edit(PAGE, wish)).toBe(PAGE.replace(before, () => after));
    const windows = PAGE.replaceAll('\n', '\r\n');
    expect(edit(windows, wish)).toBe(PAGE.replace(before, () => after).replaceAll('\n', '\r\n'));
    expect(edit(`\uFEFF${PAGE}`, wish)).toBe(`\uFEFF${PAGE.replace(before, () => after)}`);
  });

  it('takes no notice of whether the last line ends', () => {
    expect(edit('a\n\nb', { op: 'append', text: 'c\n' })).toBe('a\n\nb\n\nc');
    expect(edit('a\n\nb\n\n\n', { op: 'append', text: 'c' })).toBe('a\n\nb\n\n\nc\n\n\n');
    expect(edit('', { op: 'append', text: 'c' })).toBe('c');
    expect(edit('\n\n', { op: 'append', text: 'c' }, { op: 'append', text: 'd' })).toBe('c\n\nd\n\n');
    expect(edit('a', { op: 'delete_block', block: 'b0' })).toBe('');
  });

  it('keeps blocks apart that would run together', () => {
    expect(edit('a\n# H\nb\n', { op: 'delete_block', block: 'b1' })).toBe('a\n\nb\n');
    expect(edit('a\n# H\nb\n', { op: 'replace_block', block: 'b1', text: 'c' })).toBe('a\n\nc\n\nb\n');
    expect(edit('| a |\n| - |\n| b |\n', { op: 'append', block: 'b0', text: '| c |' })).toBe(
      '| a |\n| - |\n| b |\n| c |\n',
    );
  });
});

describe('[EDIT-02] all edits of a call', () => {
  it('are read against the same text', () => {
    const swapped = edit(
      'a b\n',
      { op: 'replace_text', find: 'a', text: 'b' },
      { op: 'replace_text', find: 'b', text: 'a' },
    );
    expect(swapped).toBe('b a\n');
    const added = ['1', '2', '3'].map((text): Edit => ({ op: 'append', text }));
    expect(edit('a\n', ...added)).toBe('a\n\n1\n\n2\n\n3\n');
    const rows = ['| c |', '| d |'].map((text): Edit => ({ op: 'append', block: 'b0', text }));
    expect(edit('| a |\n| - |\n', ...rows)).toBe('| a |\n| - |\n| c |\n| d |\n');
  });

  it.each<[string, readonly Edit[]]>([
    [
      'the same text',
      [
        { op: 'replace_text', find: 'first', text: '' },
        { op: 'replace_text', find: 'irs', text: '' },
      ],
    ],
    [
      'a block twice',
      [
        { op: 'delete_block', block: 'b2' },
        { op: 'replace_block', block: 'b2', text: 'x' },
      ],
    ],
    [
      'text of a block that goes',
      [
        { op: 'replace_text', find: 'first', text: '' },
        { op: 'delete_block', block: 'b2' },
      ],
    ],
    [
      'beside a block that goes',
      [
        { op: 'insert_after', block: 'b2', text: 'x' },
        { op: 'delete_block', block: 'b2' },
      ],
    ],
    [
      'inside a section that is replaced',
      [
        { op: 'replace_section', section: 'One#1', text: 'x' },
        { op: 'append', section: 'Sub', text: 'y' },
      ],
    ],
    [
      'text across a place where something comes in',
      [
        { op: 'replace_text', find: 'first\n\n## Sub', text: '' },
        { op: 'insert_after', block: 'b2', text: 'y' },
      ],
    ],
    [
      'a move to a block that goes',
      [
        { op: 'move_block', block: 'b6', after: 'b2' },
        { op: 'delete_block', block: 'b2' },
      ],
    ],
  ])('are refused when two change %s', (_, edits) => {
    for (const order of [edits, edits.toReversed()]) {
      const error = refusal(() => edit(PAGE, ...order));
      expect(error).toMatchObject({ code: 'invalid_input', details: { reason: 'overlap' } });
    }
  });
});

describe('[EDIT-03] what an edit names', () => {
  it.each<[string, Edit, string, string]>([
    ['text that is not there', { op: 'replace_text', find: 'First', text: '' }, 'not_found', 'edits.0.find'],
    [
      'text that is there twice',
      { op: 'replace_text', find: '# One', text: '' },
      'ambiguous',
      'edits.0.find',
    ],
    [
      'a pattern, which is only text',
      { op: 'replace_text', find: 'f.*t', text: '' },
      'not_found',
      'edits.0.find',
    ],
    [
      'a heading that is there twice',
      { op: 'append', section: 'One', text: 'x' },
      'ambiguous',
      'edits.0.section',
    ],
    [
      'a heading that is not there',
      { op: 'append', section: 'Ones', text: 'x' },
      'not_found',
      'edits.0.section',
    ],
    [
      'an ordinal that is not there',
      { op: 'append', section: 'One#3', text: 'x' },
      'not_found',
      'edits.0.section',
    ],
    [
      'a subsection below another heading',
      { op: 'append', section: 'Two > Sub', text: 'x' },
      'not_found',
      'edits.0.section',
    ],
    ['a block that is not there', { op: 'delete_block', block: 'nope' }, 'not_found', 'edits.0.block'],
    [
      'a block that has changed',
      { op: 'delete_block', block: 'b2', digest: '0' },
      'conflict',
      'edits.0.digest',
    ],
    ['nothing', { op: 'insert_after', text: 'x' }, 'invalid_input', 'edits.0'],
    [
      'two things',
      { op: 'insert_after', block: 'b1', section: 'Two', text: 'x' },
      'invalid_input',
      'edits.0',
    ],
    ['no text', { op: 'append', text: ' \n' }, 'invalid_input', 'edits.0.text'],
    ['no place to move to', { op: 'move_block', block: 'b1' }, 'invalid_input', 'edits.0'],
  ])('is an error with its field for %s', (_, wish, code, field) => {
    expect(refusal(() => edit(PAGE, wish))).toMatchObject({ code, details: { field } });
  });

  it('is offered again where it was missed or fits several', () => {
    const near = refusal(() => edit(PAGE, { op: 'append', section: 'Ones', text: 'x' }));
    expect(near.details.candidates).toContain('One');
    const many = refusal(() => edit(PAGE, { op: 'append', section: 'One', text: 'x' }));
    expect(many.details.candidates).toEqual(['One#1', 'One#2']);
    const text = refusal(() => edit(PAGE, { op: 'replace_text', find: 'below  ^b', text: '' }));
    expect(text.details.near).toEqual(['below ^b']);
  });

  it('may be a heading that looks like a path or an ordinal, and is never taken for both', () => {
    const page = '# A > B\n\n# C\n\n## 2\n\n# C\n';
    expect(edit(page, { op: 'append', section: 'A > B', text: 'x' })).toBe(page.replace('B\n', 'B\n\nx\n'));
    expect(refusal(() => edit(page, { op: 'append', section: 'C#2', text: 'x' })).code).toBe('ambiguous');
    const second = edit(page, { op: 'append', section: { heading: 'C', ordinal: 2 }, text: 'x' });
    expect(second).toBe(`${page}\nx\n`);
  });
});

describe('[EDIT-04] a neighbour of an edit', () => {
  it.each<[string, string, Edit]>([
    [
      'is not swallowed by a fence that stays open',
      'a\n\nb\n',
      { op: 'insert_after', block: 'b0', text: '```\ncode' },
    ],
    ['is not swallowed by a comment', 'a\n\nb\n', { op: 'replace_block', block: 'b0', text: '<!-- a' }],
    ['does not swallow what comes in', 'a\n\n```\ncode\n', { op: 'append', text: 'b' }],
    ['does not take in an indented text', '- a\n', { op: 'append', text: '  still a' }],
    [
      'does not become frontmatter',
      '---\na: 1\n---\n---\n\nb: 1\n\n---\n',
      { op: 'delete_block', block: 'b0' },
    ],
    [
      'does not lose its frontmatter',
      '---\na: 1\n---\nb\n',
      { op: 'insert_before', block: 'b0', text: 'top' },
    ],
  ])('%s', (_, text, wish) => {
    expect(refusal(() => edit(text, wish))).toMatchObject({
      code: 'invalid_input',
      details: { reason: 'structure' },
    });
  });

  it('is where a line goes that cannot be part of its block', () => {
    const code = refusal(() => edit('```\na\n```\n', { op: 'append', block: 'b0', text: 'b' }));
    expect(code.message).toContain('insert_after');
  });
});

const BLOCKS = [
  'Plain words, *marked* and [[Linked|x]].',
  'Two lines\nof one paragraph',
  '漢字と仮名。',
  '🏳️‍🌈 emoji é ^anchor',
  '# Heading',
  '## Heading',
  '# Other #',
  'Setext\n===',
  '- item',
  '- item\n  - nested\n\n    deep',
  '1. one',
  '> quote\n> more',
  '```js\nconst a = 1;\n\n# not a heading\n```',
  '~~~\n[[no link]]\n~~~',
  '| a | b |\n| - | - |\n| 1 | \\| |',
  '***',
  '<div>\nhtml\n</div>',
  '$$\nx\n$$',
  '[ref]: https://example.com',
];

const block = fc.constantFrom(...BLOCKS);
const documents = fc
  .record({
    front: fc.constantFrom('', '---\ntags: [a]\n---\n'),
    blocks: fc.array(fc.tuple(block, fc.constantFrom('\n\n', '\n\n\n', '\n', '\n \n')), { maxLength: 9 }),
    end: fc.constantFrom('', '\n', '\n\n'),
    windows: fc.boolean(),
  })
  .map(({ front, blocks, end, windows }) => {
    const body = blocks.map(([text, gap], i) => (i === blocks.length - 1 ? text : text + gap)).join('');
    const text = front + body + (body === '' ? '' : end);
    return windows ? text.replaceAll('\n', '\r\n') : text;
  });

/** What becomes of a list of blocks, by the plainest means. */
function model(texts: readonly string[], wish: Edit, at: number, to: number): string[] {
  const newline = (text: string): string[] => textsOf(text);
  const result = texts.map((text) => [text]);
  const come = newline(wish.text ?? '');
  if (wish.op === 'insert_before') result[at]?.unshift(...come);
  else if (wish.op === 'insert_after') result[at]?.push(...come);
  else if (wish.op === 'replace_block') result[at] = come;
  else if (wish.op === 'delete_block') result[at] = [];
  else if (wish.op === 'append') result.push(come);
  else if (wish.op === 'move_block' && at !== to) {
    result[at] = [];
    result[to]?.push(texts[at] ?? '');
  }
  return result.flat();
}

describe('[EDIT-05] at random', () => {
  const OPS = [
    'insert_before',
    'insert_after',
    'replace_block',
    'delete_block',
    'append',
    'move_block',
  ] as const;

  it('an edit gives the blocks that a plain list of them would, and every byte outside of it stays', () => {
    let done = 0;
    const wishes = fc.record({ op: fc.constantFrom(...OPS), text: block, at: fc.nat(), to: fc.nat() });
    fc.assert(
      fc.property(documents, wishes, (text, { op, text: brought, at, to }) => {
        const before = splitBlocks(text);
        fc.pre(before.length > 0);
        const [i, j] = [at % before.length, to % before.length];
        const windows = text.includes('\r\n');
        const come = windows ? brought.replaceAll('\n', '\r\n') : brought;
        const target = op === 'append' ? {} : { block: `b${i}` };
        const more = op === 'move_block' ? { after: `b${j}` } : {};
        const wish: Edit = { op, ...target, ...more, text: brought };
        let result: string;
        try {
          result = edit(text, wish);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_input' });
          return;
        }
        done += 1;
        expect(textsOf(result)).toEqual(model(textsOf(text), { ...wish, text: come }, i, j));
        if (windows) expect(result.replaceAll('\r\n', '')).not.toContain('\n');
        const [low, high] =
          op === 'append'
            ? [before.length, before.length]
            : op === 'move_block'
              ? [Math.min(i, j), Math.max(i, j) + 1]
              : [i, i];
        const previous = before[low - 1];
        if (previous)
          expect(result.startsWith(text.slice(0, gapStart(text, previous.start, previous.end)))).toBe(true);
        expect(result.endsWith(text.slice(before[high + 1]?.start ?? text.length))).toBe(true);
      }),
      { numRuns: times(1_500, 100_000) },
    );
    expect(done).toBeGreaterThan(100);
  });

  it('a replaced text is replaced, and nothing else', () => {
    const finds = fc.constantFrom('a', 'item', '漢', '\n', '# ', '```', 'é', '[[');
    fc.assert(
      fc.property(documents, finds, fc.constantFrom('', 'x', '🏳️‍🌈', '$&', 'a\nb'), (text, find, come) => {
        const newline = text.includes('\r\n') ? '\r\n' : '\n';
        const written = find.replaceAll('\n', newline);
        const parts = text.split(written);
        if (parts.length === 1) {
          expect(refusal(() => edit(text, { op: 'replace_text', find, text: come })).code).toBe('not_found');
          return;
        }
        const wish: Edit = { op: 'replace_text', find: written, text: come, count: parts.length - 1 };
        expect(edit(text, wish)).toBe(parts.join(come.replaceAll('\n', newline)));
      }),
      { numRuns: times(500, 20_000) },
    );
  });

  it('several edits give what they give one by one, from the last to the first', () => {
    const wishes = fc.array(
      fc.record({
        op: fc.constantFrom('insert_before', 'replace_block', 'delete_block'),
        text: block,
        at: fc.nat(),
      }),
      { minLength: 2, maxLength: 4 },
    );
    fc.assert(
      fc.property(documents, wishes, (text, given) => {
        const count = splitBlocks(text).length;
        fc.pre(count > 0);
        const places = new Map(given.map((one) => [one.at % count, one]));
        const ordered = [...places].sort(([a], [b]) => b - a);
        const edits = ordered.map(
          ([at, { op, text: come }]): Edit => ({ op: op as Edit['op'], block: `b${at}`, text: come }),
        );
        let [together, single] = ['', text];
        try {
          together = edit(text, ...edits);
          for (const one of edits) single = edit(single, one);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_input' });
          return;
        }
        const lines = (text: string) => textsOf(text.replaceAll('\r\n', '\n'));
        expect(lines(together)).toEqual(lines(single));
      }),
      { numRuns: times(500, 30_000) },
    );
  });
});
