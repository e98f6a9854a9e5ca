/** Lists access rules. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import type { PolicyFamilyMeans } from '../means.ts';
import { factsOf, ruleFacts } from './rule-shape.ts';

export const list = defineTool({
  ...OWNER_ONLY,
  name: 'policy.rule.list',
  title: 'List access rules',
  summary: 'Lists the access rules in force, the defaults among them.',
  scopes: ['settings.read'],
  effect: 'read_only',
  example: {},
  input: z.object({}),
  output: z.object({ rules: z.array(ruleFacts), policy_version: z.int() }),
  async handler(use: PolicyFamilyMeans) {
    const { policy } = use.state.current();
    return { rules: policy.rules.map(factsOf), policy_version: policy.version };
  },
});
