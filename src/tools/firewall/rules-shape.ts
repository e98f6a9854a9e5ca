/** How rules of the firewall look in answers. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { DEFAULT_RULES, type FirewallRules } from '../../domain/providers/firewall/rules.ts';

export const OWNER_OF_RULES = { ...OWNER_ONLY, scopes: ['providers.manage'] } as const;

export const rulesArgument = z
  .record(z.string(), z.unknown())
  .describe('Rules as firewall.rules shows them, with a version of their own');

export const ruleFacts = {
  version: z.string().describe('Named in every verdict'),
  source: z.enum(['built-in', 'own']),
  phrases: z.int(),
  texts: z.int(),
  tokens: z.int(),
};

export const factsOfRules = (rules: FirewallRules): z.output<z.ZodObject<typeof ruleFacts>> => ({
  version: rules.version,
  source: rules === DEFAULT_RULES ? 'built-in' : 'own',
  phrases: rules.document.phrases.length,
  texts: rules.unspaced.length + rules.markers.length,
  tokens: rules.document.tokens.length,
});
