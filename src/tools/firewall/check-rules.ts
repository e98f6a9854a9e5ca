/** Says whether rules could be used, without using them. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { readRules } from '../../domain/providers/firewall/rules.ts';
import type { FirewallFamilyMeans } from './means.ts';
import { factsOfRules, OWNER_OF_RULES, ruleFacts, rulesArgument } from './rules-shape.ts';

export const checkRules = defineTool({
  ...OWNER_OF_RULES,
  name: 'firewall.check_rules',
  title: 'Check rules of the firewall',
  summary:
    'Says whether rules for the output firewall could be used, and names the first place that is wrong.',
  effect: 'read_only',
  limits: { inputBytes: 512 * 1024 },
  example: { rules: {} },
  input: z.object({ rules: rulesArgument }),
  output: z.object(ruleFacts),
  handler: async (_use: FirewallFamilyMeans, { rules }) => factsOfRules(readRules(rules)),
});
