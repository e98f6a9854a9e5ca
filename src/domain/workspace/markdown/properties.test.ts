/** What must hold for any text at all, well-formed Markdown or not. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAnchors } from './find-anchors.ts';
import { findLinks } from './find-links.ts';
import { findTags } from './find-tags.ts';
import { outline } from './outline.ts';
import { scanBlocks } from './scan-blocks.ts';
import { splitBlocks } from './split-blocks.ts';

const fragment = fc.constantFrom(
  ...[
    '[[',
    ']]',
    '[',
    ']',
    '](',
    ')',
    '!',
    '|',
    '\\|',
    '\\',
    '#',
    '# ',
    '^id',
    '`',
    '```',
    '~~~',
    '$',
    '$$',
    '%%',
  ],
  ...[
    '<!--',
    '-->',
    '<',
    '>',
    '> ',
    '- ',
    '1. ',
    '* ',
    '\t',
    '    ',
    ' ',
    '\n',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '---',
  ],
  ...[
    '===',
    ': ',
    'a',
    'b',
    '5',
    '%20',
    '%FF',
    'https://',
    '<div>',
    '<pre>',
    '</pre>',
    '[x]: ',
    '[^1]: ',
    '"',
    '(',
  ],
  ...[
    '\ufeff',
    '\0',
    '\ud800',
    '\udc00',
    'é',
    '日',
    '📚',
    '| a |\n| - |\n',
    '[[Note#h|x]]',
    '[t](<a b> "c")',
    '#tag',
  ],
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.array(fragment, { maxLength: 30 }).map((parts) => `---\n${parts.join('')}\n---\n`),
);

function holds(claim: (text: string) => void): void {
  fc.assert(fc.property(anyText, claim), { numRuns: 2000 });
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function expectSpans(text: string, spans: readonly Span[]): void {
  let last = 0;
  for (const { start, end } of spans) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(text.length);
    last = start;
  }
}

describe('for any text', () => {
  it('the blocks joined are the text, and each begins a line', () => {
    holds((text) => {
      const blocks = splitBlocks(text);
      expect(blocks.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
      expectSpans(text, blocks);
      for (const { start } of blocks) expect(start === 0 || /[\r\n]/.test(text.charAt(start - 1))).toBe(true);
      for (const { kind, level } of blocks) expect(level !== undefined).toBe(kind === 'heading');
    });
  });

  it('the lines of the leaves stand in order and hold no line break, save in frontmatter', () => {
    holds((text) => {
      let last = 0;
      for (const { kind, lines } of scanBlocks(text).leaves) {
        for (let i = 0; i < lines.length; i += 2) {
          const [start = -1, end = -1] = lines.slice(i, i + 2);
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(start);
          if (kind !== 'frontmatter') expect(text.slice(start, end)).not.toMatch(/[\r\n]/);
          last = end;
        }
      }
      expect(last).toBeLessThanOrEqual(text.length);
    });
  });

  it('the spans of links are in order, and their parts lie in them and say what was written', () => {
    holds((text) => {
      const { links, unclosedFence } = findLinks(text);
      expectSpans(text, links);
      for (const link of links) {
        const target = text.slice(link.targetStart, link.targetEnd);
        expect(link.targetStart).toBeGreaterThan(link.start);
        expect(link.targetEnd).toBeLessThan(link.end + (link.form === 'reference' ? 1 : 0));
        expect(target).not.toMatch(/[\r\n]/);
        if (link.form === 'wiki') {
          expect(link.path).toBe(target);
          expect(text.slice(link.start, link.end)).toMatch(/^!?\[\[.+\]\]$/su);
          if (link.fragment !== undefined)
            expect(text.slice(link.fragmentStart, link.fragmentEnd)).toBe(link.fragment);
        } else if (!/[\\%]/.test(target)) {
          expect(link.path).toBe(target);
        }
        expect(link.embed).toBe(text.charAt(link.start) === '!');
        if (unclosedFence) expect(link.end).toBeLessThanOrEqual(unclosedFence.start);
      }
    });
  });

  it('a rename that writes every target back changes nothing', () => {
    holds((text) => {
      let out = '';
      let at = 0;
      for (const { targetStart, targetEnd } of [...findLinks(text).links].sort(
        (a, b) => a.targetStart - b.targetStart,
      )) {
        expect(targetStart).toBeGreaterThanOrEqual(at);
        out += text.slice(at, targetStart) + text.slice(targetStart, targetEnd);
        at = targetEnd;
      }
      expect(out + text.slice(at)).toBe(text);
    });
  });

  it('tags and anchors are what stands at their spans', () => {
    holds((text) => {
      const tags = findTags(text);
      const anchors = findAnchors(text);
      expectSpans(text, tags);
      expectSpans(text, anchors);
      for (const { tag, start, end } of tags) expect(text.slice(start, end)).toBe(`#${tag}`);
      for (const { id, start, end } of anchors) expect(text.slice(start, end)).toBe(`^${id}`);
    });
  });

  it('sections nest, and paths and ordinals name each heading once', () => {
    holds((text) => {
      const headings = outline(text);
      expectSpans(text, headings);
      expect(new Set(headings.map(({ path, ordinal }) => JSON.stringify([path, ordinal]))).size).toBe(
        headings.length,
      );
      for (const heading of headings) {
        expect(heading.path.at(-1)).toBe(heading.title);
        const inside = headings.filter(({ start }) => start > heading.start && start < heading.end);
        for (const other of inside) {
          expect(other.level).toBeGreaterThan(heading.level);
          expect(other.end).toBeLessThanOrEqual(heading.end);
        }
      }
    });
  });
});
