/** The firewall's rules in force, as they are written. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { FirewallFamilyMeans } from './means.ts';
import { factsOfRules, OWNER_OF_RULES, ruleFacts } from './rules-shape.ts';

export const rules = defineTool({
  ...OWNER_OF_RULES,
  name: 'firewall.rules',
  title: "Show the firewall's rules",
  summary: 'The rules of the output firewall that are in force, whole: a file to start from.',
  effect: 'read_only',
  limits: { outputBytes: 2 * 1024 * 1024 },
  example: {},
  input: z.object({}),
  output: z.object({ ...ruleFacts, rules: z.record(z.string(), z.unknown()) }),
  handler: async (use: FirewallFamilyMeans) => {
    const now = use.rules();
    return { ...factsOfRules(now), rules: now.document };
  },
});
