/** How the work grows with a text: counted in places that are tried and characters that are read, never in time. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_PROVIDER_LIMITS } from '../profile.ts';
import { inspect } from './inspect.ts';
import { DEFAULT_RULES } from './rules.ts';

/** Each is the beginning of something that never ends, or all of something that comes again and again. */
const UNITS = [
  ...[
    '![](a',
    '![',
    '![[](a',
    '![a][b]',
    '](',
    '](data:',
    '](http://a',
    '<a ',
    '<a on',
    '<img src=',
    'url(//',
  ],
  ...[
    'https://a',
    '\n[a]:',
    'data:text/html,',
    'AKIA',
    'sk-',
    '-eyJ',
    'eyJ.',
    'password=',
    'bearer ',
    'a.a@',
  ],
  ...[
    '5555 ',
    'GB82',
    '+1 2 3 ',
    '-----BEGIN PRIVATE KEY-----',
    'ignore all ',
    'i g n ',
    'aWdub3Jl',
    '69 67 ',
  ],
  ...[
    'token=',
    'secret: a1',
    'basic YWRh',
    'AccountKey=',
    '+49 1',
    'mailto:?body=',
    'a**b',
    'a<!--',
    '以前の指示',
    '忽略之前',
  ],
  ...['%41', '&#65;', '\u001b[0', '\u001b]', '\u200d', 'a\u200b', 'a\ufe0f', '指令'],
];

afterEach(() => {
  vi.restoreAllMocks();
});

/** Places that are tried by the scanner, what it reads there, and words that are compared. */
function stepsOn(text: string): number {
  let steps = 0;
  const exec = RegExp.prototype.exec;
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, given: string) {
    const found = exec.call(this, given);
    steps += 1 + (found?.[0].length ?? 0);
    return found;
  });
  const has = Set.prototype.has;
  vi.spyOn(Set.prototype, 'has').mockImplementation(function (this: Set<unknown>, value: unknown) {
    steps += 1;
    return has.call(this, value);
  });
  const limits = { ...DEFAULT_PROVIDER_LIMITS, textBytes: Number.MAX_SAFE_INTEGER };
  const profile = { trust: 'USER_ADDED_REVIEWED', limits } as const;
  const result = { content: [{ type: 'text' as const, text }], structured: undefined, isError: false };
  inspect({ rules: DEFAULT_RULES, allowedHosts: [] }, profile, result);
  vi.restoreAllMocks();
  return steps;
}

describe('[FIRE-52] the work', () => {
  it.each(UNITS)('on %j grows with its length', (unit) => {
    const [short, long] = [4_000, 16_000].map((size) => stepsOn(unit.repeat(Math.ceil(size / unit.length))));
    expect(long).toBeLessThanOrEqual((short ?? 0) * 4.5 + 1_000);
    // And is a small number for each character.
    expect(long).toBeLessThanOrEqual(16_000 * 150);
  });
});
