/** Shows what is meant to wear out whoever reads, checks or resolves it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool, type Script, TRANSPORTS } from '../../support/scripted-upstream.ts';

type Json = Record<string, unknown>;

const withSchema = (inputSchema: Json): Script => ({ ...BENIGN, tools: [{ ...echoTool, inputSchema }] });
const deep = (levels: number): Json => {
  let schema: Json = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
};
const property = (text: Json): Json => ({ type: 'object', properties: { text } });

let asked = 0;
let elsewhere: Server;
let origin = '';
beforeAll(async () => {
  elsewhere = createServer((_, response) => {
    asked += 1;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/schema.json`;
});
afterAll(() => elsewhere.close());

const BOMBS: Readonly<Record<string, () => Script>> = {
  ten_thousand_tools: () => ({
    ...BENIGN,
    tools: Array.from({ length: 10_000 }, (_, n) => ({ ...echoTool, name: n === 0 ? 'echo' : `echo_${n}` })),
  }),
  five_megabytes: () => withSchema({ type: 'object', description: 'a'.repeat(5 * 1024 * 1024) }),
  hundred_kilobytes: () => withSchema({ type: 'object', description: 'a'.repeat(100 * 1024) }),
  thousand_levels: () => withSchema(deep(1_000)),
  hundred_levels: () => withSchema(deep(50)),
  circle: () =>
    withSchema({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }),
  circle_through_itself: () =>
    withSchema({ type: 'object', properties: { text: { $ref: '#/properties/text' } } }),
  somewhere_else: () => withSchema(property({ $ref: origin })),
  file_of_ours: () => withSchema(property({ $ref: 'file:///etc/passwd' })),
  named_elsewhere: () =>
    withSchema({ $id: origin, ...property({ $ref: '#/x' }), $schema: 'https://eve.example/meta' }),
  pattern_without_end: () => withSchema(property({ type: 'string', pattern: '^(a+)+$' })),
  pattern_with_overlap: () => withSchema(property({ type: 'string', pattern: '^(\\w+\\s?)*$' })),
  pattern_among_names: () => withSchema({ type: 'object', patternProperties: { '^(x|x)*y$': {} } }),
};

describe.each(TRANSPORTS)('[UPA-09] a provider over %s that shows a bomb', (transport) => {
  const at = providerHome(transport, BENIGN, false);

  it.each(Object.keys(BOMBS))('as %s is held before it is admitted', async (bomb) => {
    at.upstream().become(BOMBS[bomb]?.() ?? BENIGN);
    await at.asOwner('provider.discover', { id: 'up' });
    await expect(at.admit()).rejects.toThrow();
    expect(await at.listed()).toEqual([]);
    const { state, reason, findings } = await at.inspect();
    expect(['DISCOVERING', 'REGISTERED', 'QUARANTINED']).toContain(state);
    expect([reason, ...findings].join('\n')).toMatch(
      /more than|larger than|deeper|too deep|circle|somewhere else|run for ever/,
    );
    expect(at.server().process.exitCode).toBeNull();
  });

  it.each(['ten_thousand_tools', 'five_megabytes', 'thousand_levels', 'pattern_without_end'])(
    'as %s after it was admitted is held at once',
    async (bomb) => {
      at.upstream().become(BENIGN);
      await at.asOwner('provider.remove', { id: 'up', reason: 'anew' });
      await at.asOwner('provider.register', { id: 'up', ...at.upstream().target });
      await at.asOwner('provider.discover', { id: 'up' });
      await at.admit();
      at.upstream().become(BOMBS[bomb]?.() ?? BENIGN);
      expect(await at.call('echo', { text: 'x' })).toBe('DELEG_PROVIDER_DRIFTED');
      expect(await at.inspect()).toMatchObject({ state: 'QUARANTINED', reason_code: 'drift' });
    },
  );

  it('makes nobody fetch anything, and a schema that only repeats itself is called', async () => {
    expect(asked).toBe(0);
    at.upstream().become(
      withSchema({
        type: 'object',
        properties: { text: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }, next: { $ref: '#' } },
      }),
    );
    await at.asOwner('provider.remove', { id: 'up', reason: 'anew' });
    await at.asOwner('provider.register', { id: 'up', ...at.upstream().target });
    await at.asOwner('provider.discover', { id: 'up' });
    await at.admit();
    let input: Json = { text: 'a' };
    for (let level = 0; level < 60; level += 1) input = { text: 'a', next: input };
    expect(await at.call('echo', input)).toContain('"text":"a"');
  });
});
