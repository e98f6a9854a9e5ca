/** Twice the text costs about twice the time, also where the text is made to be slow. */
import { describe, expect, it } from 'vitest';
import { analyze } from './analyze.ts';
import { matchText } from './match-text.ts';
import { parseQuery } from './parse-query.ts';
import { makeSnippet } from './snippet.ts';

const size = 16_000;
const hostile: [name: string, text: string][] = [
  ['prose', 'The quick **brown** fox jumps over [[Page|a page]] and `code`.\n'],
  ['one long word', 'a'],
  ['one long identifier', 'a-'],
  ['changing case', 'aB'],
  ['underscores', 'a____'],
  ['Han without a stop', '東京都'],
  ['Thai without a space', 'โน้ต'],
  ['marks in the wrong order', '\u0315\u0300'],
  ['links that never close', '[x]('],
  ['wiki links that never close', '[[a|'],
  ['ticks', '`x``y'],
  ['quote signs', '>'],
  ['stars', '*a'],
  ['letters of Hangul', '\u1100\u1161'],
  ['flags', '🇩🇪'],
];

const query = parseQuery('fox page "a page" "a a a" 東京 โน้ต -"b b"');

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Whether eight times the text costs clearly less than a quadratic 64 times, in the best of some rounds. */
function growsLinearly(small: () => void, large: () => void): boolean {
  small();
  let leastSmall = Number.POSITIVE_INFINITY;
  let leastLarge = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6; round += 1) {
    leastSmall = Math.min(leastSmall, cpuMs(small));
    leastLarge = Math.min(leastLarge, cpuMs(large));
    // A few milliseconds are noise, and what else the machine does can only add to a round.
    if (leastLarge < 24 * leastSmall + 20) return true;
  }
  return false;
}

describe.each(hostile)('%s', (_, unit) => {
  const text = (length: number): string => unit.repeat(Math.ceil(length / unit.length));
  it.each([
    ['analyze', (body: string) => void analyze(body)],
    ['matchText', (body: string) => void matchText(query, { title: 'x', body })],
    ['makeSnippet', (body: string) => void makeSnippet(query, body)],
  ])('%s', (__, work) => {
    const small = text(size);
    const large = text(size * 8);
    const grows = growsLinearly(
      () => work(small),
      () => work(large),
    );
    expect(grows).toBe(true);
  });
});
