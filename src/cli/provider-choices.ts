/** Values that completion offers for providers; what is right is decided by the tools. */
import { type CommandInput, listOf } from './command.ts';

export const TRUST_CHOICES = ['CONTROLLED_LOCAL', 'USER_ADDED_REVIEWED', 'ORG_MANAGED', 'BLOCKED'];
export const EFFECT_CHOICES = ['READ_ONLY', 'LOCAL_SIDE_EFFECT', 'EXTERNAL_SIDE_EFFECT', 'SENSITIVE_READ'];
export const RELAY_CHOICES = ['elicitation', 'sampling', 'roots'];

/** Undefined when nothing was said about it. */
export function relaysIn(input: CommandInput): readonly string[] | undefined {
  const named = listOf(input, 'relay');
  return named?.join() === 'none' ? [] : named;
}
