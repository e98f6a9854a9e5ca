/** What is suggested as the effect of a tool, by what it says of itself. */
import { expect, it } from 'vitest';
import type { EffectClass } from './profile.ts';
import { suggestedEffect } from './suggested-effect.ts';

const reads = { readOnlyHint: true };

it.each<[string, Record<string, unknown>, EffectClass]>([
  ['get-env', { annotations: reads }, 'SENSITIVE_READ'],
  ['getEnv', { annotations: reads }, 'SENSITIVE_READ'],
  ['list_secrets', {}, 'SENSITIVE_READ'],
  ['debug', { annotations: reads, description: 'Returns all environment variables.' }, 'SENSITIVE_READ'],
  ['wipe_secrets', { annotations: { destructiveHint: true } }, 'EXTERNAL_SIDE_EFFECT'],
  ['environmental_data', { annotations: reads }, 'READ_ONLY'],
  ['search', { annotations: reads, description: 'Searches the web. Needs an API key.' }, 'READ_ONLY'],
  ['read_file', { annotations: reads }, 'READ_ONLY'],
  ['write_file', {}, 'LOCAL_SIDE_EFFECT'],
  ['write_file', { annotations: { destructiveHint: false } }, 'LOCAL_SIDE_EFFECT'],
  ['write_file', { annotations: { destructiveHint: false, openWorldHint: true } }, 'EXTERNAL_SIDE_EFFECT'],
  ['write_file', { annotations: { destructiveHint: false, openWorldHint: false } }, 'LOCAL_SIDE_EFFECT'],
  ['delete_all', { annotations: { readOnlyHint: true, destructiveHint: true } }, 'EXTERNAL_SIDE_EFFECT'],
  ['look_up', { annotations: { readOnlyHint: true, openWorldHint: true } }, 'READ_ONLY'],
])('[PROV-08] %s %o is %s', (name, further, effect) => {
  expect(suggestedEffect({ name, ...further })).toBe(effect);
});
