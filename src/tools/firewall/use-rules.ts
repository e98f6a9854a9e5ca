/** Puts other rules of the firewall in force, at once and for every provider. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { changeSetting } from '../../domain/governance/manage-policy.ts';
import { DEFAULT_RULES, readRules } from '../../domain/providers/firewall/rules.ts';
import { invalidInput } from '../../kernel/errors.ts';
import type { FirewallFamilyMeans } from './means.ts';
import { factsOfRules, OWNER_OF_RULES, ruleFacts, rulesArgument } from './rules-shape.ts';

export const useRules = defineTool({
  ...OWNER_OF_RULES,
  name: 'firewall.use_rules',
  title: 'Use rules of the firewall',
  summary:
    'Puts rules for the output firewall in force at once, or goes back to those that come with Sluice. Their version is named in every verdict.',
  effect: 'local_side_effect',
  write: { kind: 'setting', derivation: 'none' },
  limits: { inputBytes: 512 * 1024 },
  example: { built_in: true },
  input: z.object({
    rules: rulesArgument.optional(),
    built_in: z.boolean().default(false).describe('Those that come with Sluice'),
  }),
  output: z.object(ruleFacts),
  async handler(use: FirewallFamilyMeans, { rules, built_in }, call) {
    if ((rules === undefined) === !built_in)
      throw invalidInput('rules', 'or "built_in" must be given, and not both');
    const now = rules === undefined ? DEFAULT_RULES : readRules(rules);
    // A version that says nothing would make verdicts say nothing.
    if (rules !== undefined && now.version === DEFAULT_RULES.version)
      throw invalidInput('rules.version', `must not be "${now.version}", which the built-in rules have`);
    await changeSetting(use.policy, call.ticket, 'firewall_rules', rules ?? null);
    return factsOfRules(now);
  },
});
