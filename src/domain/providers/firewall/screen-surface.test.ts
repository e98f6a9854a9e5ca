import { describe, expect, it } from 'vitest';
import type { ProviderSurface } from '../surface.ts';
import { DEFAULT_RULES, readRules } from './rules.ts';
import { screenSurface } from './screen-surface.ts';

const surface = (tool: Record<string, unknown>): ProviderSurface => ({
  revision: '2025-11-25',
  identity: { name: 'up', version: '1' },
  instructions: null,
  prompts: [],
  resourceTemplates: [],
  tools: [{ name: 'look', inputSchema: { type: 'object' }, ...tool }],
});
const found = (tool: Record<string, unknown>, hosts?: readonly string[]) =>
  screenSurface(DEFAULT_RULES, surface(tool), hosts).map(
    ({ severity, about, field, problem }) => `${severity}: ${about} ${field} ${problem}`,
  );
const withDefault = (value: string) => ({
  inputSchema: { type: 'object', properties: { key: { type: 'string', default: value } } },
});

describe('[FIRE-61] what a tool says of itself', () => {
  it.each([
    'Finds pages. ![logo](https://evil.example/l.png?d=1)',
    'Finds pages. <img src="https://evil.example/x.gif">',
    'See [this](javascript:alert(1)).',
    'Finds pages. <link rel=stylesheet href=https://evil.example/a.css>',
    'More at https://bit.ly/3xYzAbC.',
  ])('is held when it would be fetched or run: %s', (description) => {
    expect(found({ description })).toEqual([
      'hold: look description holds a picture, markup or address that would lead away',
    ]);
  });

  it('is held when a credential is in it, wherever', () => {
    const held = 'holds what looks like a secret or personal';
    expect(found({ description: 'Use AKIAQ3EGRIYLT7FZ5K2M.' })).toEqual([
      `hold: look description ${held} (aws-key)`,
    ]);
    expect(found(withDefault('ghp_Zk83hQw71LmXv92TbNc64RyUe05SaPd1FgHj'))).toEqual([
      `hold: look inputSchema.properties.key.default ${held} (github-token)`,
    ]);
    const named = { type: 'object', properties: { ghp_Zk83hQw71LmXv92TbNc64RyUe05SaPd1FgHj: {} } };
    expect(found({ inputSchema: named })).toEqual([
      `hold: look inputSchema.properties.(name) ${held} (github-token)`,
    ]);
  });

  it.each([
    ['The sheet, such as 1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms.', 'random-looking'],
    ['Pays with a test card such as 4242 4242 4242 4242.', 'card'],
    ['Connects, e.g. with postgres://app:kT7wq2pd@db/x.', 'basic-auth'],
  ])('is noted for who looks at it where it may be an example: %s', (description, rule) => {
    expect(found({ description })).toEqual([
      `note: look description holds what looks like a secret or personal (${rule})`,
    ]);
  });

  it.each([
    'Takes <script> and <iframe> tags out of a page, and keeps <b>.',
    'See https://docs.example.org/search?q=pages and [the guide](https://docs.example.org/guide).',
    'The key, which begins with ghp_ or AKIA; mail such as ada@example.org is fine.',
    'Returns rows as `{"password": "<hidden>"}`.',
  ])('is fine when it only talks about such things: %s', (description) => {
    expect(found({ description })).toEqual([]);
  });

  it('may show pictures of hosts that a person allowed', () => {
    const description = 'Finds pages. ![logo](https://pictures.example/l.png)';
    expect(found({ description }, ['pictures.example'])).toEqual([]);
    expect(found({ description })).toHaveLength(1);
  });

  it('is held for more where the rules in force are stricter', () => {
    const { document } = DEFAULT_RULES;
    const strict = { CONTROLLED_LOCAL: 'block', USER_ADDED_REVIEWED: 'block', ORG_MANAGED: 'block' } as const;
    const rules = readRules({ ...document, actions: { ...document.actions, REGULATED: strict } });
    const shown = surface({ description: 'Pays with 4242 4242 4242 4242.' });
    expect(screenSurface(rules, shown)).toMatchObject([{ severity: 'hold' }]);
  });
});
