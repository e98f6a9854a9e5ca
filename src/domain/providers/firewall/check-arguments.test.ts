import { describe, expect, it } from 'vitest';
import { checkArguments } from './check-arguments.ts';
import { DEFAULT_RULES, readRules } from './rules.ts';
import { SENSITIVITY } from './token-shapes.ts';

const { document } = DEFAULT_RULES;
const tiers = { CONTROLLED_LOCAL: 'block', USER_ADDED_REVIEWED: 'block', ORG_MANAGED: 'block' } as const;
const STRICT = readRules({
  ...document,
  arguments: Object.fromEntries(SENSITIVITY.map((kind) => [kind, tiers])),
});
const stranger = { id: 'up', trust: 'USER_ADDED_REVIEWED' } as const;
const sent = (input: unknown, rules = DEFAULT_RULES, before = '') =>
  checkArguments(rules, stranger, input, before).passed;

const CREDENTIALS = [
  ['named-secret', 'the password: kT7wq2pd! is new'],
  ['named-secret', 'api_key=9fK2mQ7xW4'],
  ['named-secret', '{"client_secret": "a8f3k2m9q1"}'],
  ['bearer', 'curl -H "Authorization: Bearer 7hYt5Re3Wq1Zx9Cv2Bn4" https://api.example.org'],
  ['basic-auth', 'connect to postgres://u:p@host/db'],
] as const;

/** What people ask about such things. */
const QUESTIONS = [
  'what is a password: policy for a small firm?',
  'password: required, at least eight characters',
  'set password: 12-character minimum',
  'is "Bearer authentication-of-requests" in the standard?',
  'who is the bearer responsibilities-wise?',
  'how do I write postgres://user:password@localhost/db?',
  'const schema = { password: z.string().min(8), apiKey: process.env.API_KEY }',
  'api_key=<your key here>',
  'pwd=/home/ada/projects/one2',
];

describe('[FIRE-62] arguments under the built-in rules', () => {
  it.each(CREDENTIALS)('with a %s in a text do not leave: %s', (rule, text) => {
    expect(() => sent({ text })).toThrow(`"text" holds a credential (${rule})`);
    expect(() => sent({ deep: [{ text }] })).toThrow(`"deep.0.text" holds a credential (${rule})`);
  });

  it.each(QUESTIONS)('that only talk about such things leave: %s', (text) => {
    expect(() => sent({ text })).not.toThrow();
  });

  it('leave with personal data, which is remembered by its kind', () => {
    const text = 'write to ada@example.org about the card 4539 1488 0343 6467';
    expect([...sent({ text })].sort()).toEqual(['card', 'email']);
    expect(sent({ text: 'the weather in Oslo' })).toEqual([]);
  });

  it('leave to who is trusted on this machine, and it is remembered', () => {
    const trusted = { id: 'up', trust: 'CONTROLLED_LOCAL' } as const;
    const text = 'the password: kT7wq2pd! is new';
    expect(checkArguments(DEFAULT_RULES, trusted, { text }, '').passed).toEqual(['named-secret']);
  });

  it('do not leave with a credential as a name', () => {
    expect(() => sent({ map: { AKIAQ3EGRIYLT7FZ5K2M: 1 } })).toThrow('"map" holds a credential (aws-key)');
  });
});

describe('[FIRE-62] arguments under rules that let nothing go', () => {
  it.each([
    ['a number that the law protects (card)', { text: 'card 4539 1488 0343 6467' }],
    ['a number that the law protects (card)', { card: 4539148803436467 }],
    ['a number that the law protects (iban)', { text: 'to DE89 3704 0044 0532 0130 00' }],
    ['what may be a secret (random-looking)', { text: 'id 1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms' }],
    ['personal data (email)', { text: 'to ada@example.org' }],
  ])('stay with %s', (what, input) => {
    expect(() => sent(input, STRICT)).toThrow(`holds ${what}, which is not sent to "up"`);
  });

  it.each(QUESTIONS)('leave where it is a question: %s', (text) => {
    expect(() => sent({ text }, STRICT)).not.toThrow();
  });

  it('are not put together to what nobody wrote', () => {
    expect(() => sent({ a: 'ada@', b: 'example.org' }, STRICT)).not.toThrow();
    expect(() => sent({ a: 'AKIAQ3EGR', b: 'IYLT7FZ5K2M' }, STRICT)).toThrow(
      '"arguments" holds a credential',
    );
  });
});
