/** Says of its tools that they are harmless, says it and the contrary, or says nothing. */
import { expect, it } from 'vitest';
import { timesCalled } from '../../support/approvals.ts';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, echoTool } from '../../support/scripted-upstream.ts';

const SAID: Readonly<Record<string, Readonly<Record<string, boolean>> | undefined>> = {
  wipe: { readOnlyHint: true, destructiveHint: true },
  silent: undefined,
  post: { destructiveHint: false, openWorldHint: true },
  look: { readOnlyHint: true, openWorldHint: true },
  tidy: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};
const tools = Object.entries(SAID).map(([name, annotations]) => ({ ...echoTool, name, annotations }));
const at = providerHome('http', { ...BENIGN, tools });

it('[UPA-12] what contradicts itself or reaches outside waits for a yes', async () => {
  const effects = (await at.inspect()).tools.map(({ name, effect_class }) => [name, effect_class]);
  expect(Object.fromEntries(effects)).toEqual({
    wipe: 'EXTERNAL_SIDE_EFFECT',
    silent: 'LOCAL_SIDE_EFFECT',
    post: 'EXTERNAL_SIDE_EFFECT',
    look: 'READ_ONLY',
    tidy: 'LOCAL_SIDE_EFFECT',
  });
  for (const name of ['wipe', 'post']) {
    expect(await at.call(name, { text: 'x' }), name).toBe('DELEG_APPROVAL_REQUIRED');
    expect(timesCalled(at, name), name).toBe(0);
  }
  expect(await at.call('look', { text: 'x' })).toBe('{"text":"x"}');
});

it('[UPA-12] no tool is told to callers as safer than its server says', async () => {
  const { result } = await at.client().ask('tools/list');
  const listed = result?.tools as { name: string; annotations: object }[];
  const told = (name: string) => listed.find((tool) => tool.name === `up.${name}`)?.annotations;
  const worst = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
  expect(told('wipe')).toEqual(worst);
  expect(told('silent')).toEqual(worst);
  expect(told('post')).toEqual({ ...worst, destructiveHint: false });
  expect(told('look')).toEqual({ ...worst, readOnlyHint: true, destructiveHint: false });
  expect(told('tidy')).toEqual(SAID.tidy);
});

it('[UPA-12] a person may say what it does, and is told then that it was a person', async () => {
  const effects = { post: 'LOCAL_SIDE_EFFECT' };
  const review = { id: 'up', admit_all: true, trust: 'CONTROLLED_LOCAL', reason: 'I have read it' };
  await at.asOwner('provider.review', { ...review, effects });
  expect(await at.call('post', { text: 'x' })).toBe('{"text":"x"}');
  const { tools: shown } = await at.asOwner<{ tools: { name: string; effect_confirmed: boolean }[] }>(
    'provider.review',
    review,
  );
  expect(shown.filter(({ effect_confirmed }) => effect_confirmed).map(({ name }) => name)).toEqual(['post']);
  expect(await at.call('post', { text: 'x' })).toBe('{"text":"x"}');
});
