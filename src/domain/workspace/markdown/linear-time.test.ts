/** Sixteen times the text costs about sixteen times the time, also where the text is made to be slow. */

import { describe, expect, it } from 'vitest';
import { findAnchors } from './find-anchors.ts';
import { findLinks } from './find-links.ts';
import { findTags } from './find-tags.ts';
import { outline } from './outline.ts';
import { scanBlocks } from './scan-blocks.ts';
import { splitBlocks } from './split-blocks.ts';

const GROWTH = 16;

function readAll(text: string): void {
  const scan = scanBlocks(text);
  outline(text, splitBlocks(text, scan));
  findLinks(text, scan);
  findTags(text, scan);
  findAnchors(text, scan);
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Whether the cost grows clearly less than a quadratic 256 times, in the best of some rounds. */
function growsLinearly(make: (length: number) => string, size: number): boolean {
  const small = make(size);
  const large = make(size * GROWTH);
  readAll(small);
  let leastSmall = Number.POSITIVE_INFINITY;
  let leastLarge = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    leastSmall = Math.min(
      leastSmall,
      cpuMs(() => readAll(small)),
    );
    leastLarge = Math.min(
      leastLarge,
      cpuMs(() => readAll(large)),
    );
    // A few milliseconds are noise, and what else the machine does can only add to a round.
    if (leastLarge < 5 * GROWTH * leastSmall + 50) return true;
  }
  return false;
}

const repeat = (unit: string) => (length: number) => unit.repeat(Math.ceil(length / unit.length));

describe('any run of', () => {
  it.each([
    ...[
      '`',
      '``a ',
      '`a``b```c',
      '\\`',
      '[',
      ']',
      '[[',
      ']]',
      '[[a',
      '[[a|',
      '[[a`',
      '[a](',
      '[a](b',
      '[a](<',
    ],
    ...[
      '[a](b "',
      '![',
      '[![',
      '>',
      '> ',
      '>\n',
      '- ',
      '- - x\n',
      '* - ',
      '-\n',
      '1. ',
      '1) x ',
      '> - ',
      '- > ',
    ],
    ...[
      '$',
      '$a ',
      '$a$',
      '$$',
      '$$\n',
      '$$ a\n',
      'a $$\n',
      '%',
      '%%',
      '%%\n',
      'y %%\n%% x\n',
      '<',
      '<a ',
      "<a b='",
    ],
    ...[
      '<a b="<a c=\'',
      '<!--',
      '<!X',
      '<?',
      '<![CDATA[',
      '</a ',
      '<a@',
      '<aa:',
      '<div>\n',
      '<pre>\n',
      '<b>\n',
    ],
    ...[
      '#',
      '# ',
      '#\n',
      '#a ',
      '#a/',
      '^a ',
      '^a\n',
      '|',
      '|-',
      '|-|\n',
      'a|b\n-|-\n',
      '| [[a ',
      ' |[[a\n|-\n',
    ],
    ...[
      '[a]: b\n',
      '[a]: b "\n',
      '[a]: <\n',
      '[a]:\n',
      '[a\n',
      '=\n',
      'a\n=\n',
      '---\n',
      '--- ',
      '_ ',
      '```\n',
    ],
    ...[
      '~~~\n`',
      '\t',
      ' ',
      '  \n',
      ' \t',
      '\n',
      '\r',
      '\0',
      '\ud800',
      'a',
      '    a\n\n',
      'a\n    b\n',
      '%20',
    ],
  ])('%j', (unit) => {
    expect(growsLinearly(repeat(unit), 8_000)).toBe(true);
    expect(growsLinearly((length) => `[x](y) #t ${repeat(unit)(length)} ^z`, 8_000)).toBe(true);
  });
});

describe('the shape', () => {
  const root = (length: number) => Math.floor(Math.sqrt(length));
  const shapes: Record<string, (length: number) => string> = {
    'a deep list, then blank lines': (n) => `${'- '.repeat(n / 4)}x${'\n'.repeat(n / 2)}`,
    'a deep list, then lazy lines': (n) => `${'- '.repeat(n / 4)}x\n${'y\n'.repeat(n / 4)}`,
    'a deep list in a quote, then blank lines': (n) => `> ${'- '.repeat(n / 4)}x\n${'>\n'.repeat(n / 4)}`,
    'a deep quote, then lazy lines': (n) => `${'>'.repeat(n / 2)}x\n${'y\n'.repeat(n / 4)}`,
    'many deep quotes': (n) => `${'>'.repeat(root(n))}x\n`.repeat(root(n)),
    'a list that grows deeper': (n) =>
      Array.from({ length: root(n) }, (_, i) => `${'  '.repeat(i)}- a\n`).join(''),
    'lists that open and close': (n) => `${'- '.repeat(50)}x\nq\n\n`.repeat(n / 104),
    'runs of backticks of all lengths': (n) =>
      Array.from({ length: root(2 * n) }, (_, i) => '`'.repeat(i + 1)).join(' '),
    'brackets that close': (n) => '['.repeat(n / 2) + ']'.repeat(n / 2),
    'links round links': (n) => '['.repeat(n / 8) + '](u)'.repeat(n / 8),
    'images round images': (n) => '!['.repeat(n / 8) + '](u)'.repeat(n / 8),
    'parentheses in a destination': (n) => `[a](${'('.repeat(n / 2)}${')'.repeat(n / 2)})`,
    'a quote full of definitions': (n) => '> [a]: b\n'.repeat(n / 9),
    'frontmatter that never ends': (n) => `---\n${'--- a\n'.repeat(n / 6)}`,
    'frontmatter of brackets': (n) => `---\n${'['.repeat(n)}\n---\n`,
    'attributes that never end': (n) => `<a ${"b='<a ' ".repeat(n / 8)}`,
    'a heading of spaces': (n) => `# a${' '.repeat(n)}b`,
    'a wiki link of spaces': (n) => `[[${' '.repeat(n)}]] [[${'#'.repeat(n)}]]`,
    'a wide table': (n) => `${'|a'.repeat(n / 4)}\n${'|-'.repeat(n / 4)}\n`,
    'a table row of open wiki links': (n) => `a|b\n-|-\n${'[[a '.repeat(n / 4)}`,
    'a long table': (n) => `a|b\n-|-\n${'|[[a\n'.repeat(n / 5)}`,
  };
  it.each(Object.keys(shapes))('%s', (name) => {
    expect(growsLinearly(shapes[name] ?? repeat('a'), 8_000)).toBe(true);
  });
});

describe('two million characters of', () => {
  it.each(['a', '`', '[', '>', '$', '\n', 'a\n\n'])('%j', (unit) => {
    expect(growsLinearly(repeat(unit), 2_000_000 / GROWTH)).toBe(true);
  });
});
