/** Shows what the output firewall makes of texts, and how often it is right about them. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { EXPECTATIONS, measureCase } from '../../domain/providers/firewall/measure.ts';
import type { FirewallFamilyMeans } from './means.ts';

export const check = defineTool({
  ...OWNER_ONLY,
  name: 'firewall.check',
  title: 'Try the firewall',
  summary:
    'Runs texts through the output firewall and says which of its rules act on them, and whether that is what was expected.',
  scopes: ['providers.manage'],
  effect: 'read_only',
  limits: { inputBytes: 4 * 1024 * 1024, timeoutMs: 60_000 },
  example: { cases: [{ id: 'greeting', text: 'Hello', expect: 'pass' }] },
  input: z.object({
    cases: z
      .array(
        z.object({
          id: z.string().max(200),
          text: z.string().max(1024 * 1024),
          expect: z.enum(EXPECTATIONS).describe('What should be found in it; pass = nothing'),
        }),
      )
      .max(500)
      .describe('Texts as a provider would answer with'),
  }),
  output: z.object({
    rules_version: z.string(),
    outcomes: z.array(
      z.object({ id: z.string(), expect: z.string(), right: z.boolean(), rules: z.array(z.string()) }),
    ),
  }),
  async handler(use: FirewallFamilyMeans, { cases }) {
    const rules = use.rules();
    const outcomes = cases.map((one) => measureCase({ rules, allowedHosts: [] }, one));
    return {
      rules_version: rules.version,
      outcomes: outcomes.map((one) => ({ ...one, rules: [...one.rules] })),
    };
  },
});
