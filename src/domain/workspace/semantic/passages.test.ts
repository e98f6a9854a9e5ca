import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../../../test/support/seed.ts';
import { passagesOf } from './passages.ts';

const sentence = 'The harbour has a pier, a crane and a lamp that burns all night. ';

describe('[SEM-03] the passages of a page', () => {
  it('are sections with their headings, short ones together', () => {
    const content = `---\ntags: [a]\n---\n# Ships\n\n${sentence.repeat(6)}\n\n## Sails\n\n${sentence.repeat(6)}\n\n## Oars\n\nFew.\n\n## Ropes\n\nMany.\n`;
    const passages = passagesOf({ title: 'Sea', content });
    expect(passages.map(({ text }) => text.slice(0, 24))).toEqual([
      'Sea. Ships. Ships The ha',
      'Sea. Ships, Sails. Sails',
      'Sea. Ships, Oars. Oars F',
    ]);
    expect(passages.at(-1)?.text).toContain('Many.');
    expect(passages.map(({ text }) => text).join()).not.toContain('tags:');
  });

  it('cut a paragraph that is too long into equal parts between words', () => {
    const passages = passagesOf({ title: 'Sea', content: sentence.repeat(40) });
    expect(passages.length).toBeGreaterThan(3);
    for (const { text } of passages) expect(text).toMatch(/^Sea\. \S.*\S$/s);
  });

  it('are the title of a page that says nothing', () => {
    expect(passagesOf({ title: 'Sea', content: '' })).toEqual([{ start: 0, end: 0, text: 'Sea' }]);
    expect(passagesOf({ title: 'Sea', content: '---\na: 1\n---\n' })).toHaveLength(1);
  });

  it('stand in order, apart, inside of the text, and are never more than a page may have', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        '# A',
        '## B',
        '```',
        '',
        '- x',
        '> q',
        '| a | b |',
        '😀'.repeat(700),
        'x'.repeat(4_000),
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.string(), (lines, title) => {
        const content = lines.join('\n');
        let before = 0;
        for (const { start, end } of passagesOf({ title, content })) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(content.length);
          before = end;
        }
      }),
      { seed: testSeed(), numRuns: 200 },
    );
    expect(passagesOf({ title: 'Big', content: `${'word '.repeat(20)}\n\n`.repeat(20_000) })).toHaveLength(
      128,
    );
  });
});
