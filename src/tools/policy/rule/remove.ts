/** Removes an access rule. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import { removeRule } from '../../../domain/governance/manage-policy.ts';
import type { PolicyFamilyMeans } from '../means.ts';
import { factsOf, ruleFacts } from './rule-shape.ts';

export const remove = defineTool({
  ...OWNER_ONLY,
  name: 'policy.rule.remove',
  title: 'Remove an access rule',
  summary:
    'Takes an access rule away, a default one as well. What no rule allows is denied to agents and clients.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  destructive: true,
  write: { kind: 'policy', contentArgument: 'rule', derivation: 'none' },
  example: { rule: 'default:client:workspace' },
  input: z.object({ rule: z.string().max(100).describe('Its id') }),
  output: z.object({ rule: ruleFacts }),
  async handler(use: PolicyFamilyMeans, input, call) {
    return { rule: factsOf(await removeRule(use, call.ticket, input.rule)) };
  },
});
