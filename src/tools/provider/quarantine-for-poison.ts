/** Holds a provider whose own prompt gives the model orders. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { quarantineForPoison } from '../../domain/providers/note-discovery.ts';
import { INTERNAL } from './internal-shape.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { factsOf, idArgument } from './provider-shape.ts';

export const quarantineForPoisonTool = defineTool({
  ...INTERNAL,
  name: 'provider.quarantine_for_poison',
  title: 'Hold a provider that poisons',
  summary: 'Puts a provider into quarantine because a prompt of it gives the model orders.',
  example: { id: 'files', prompt: 'summary', rules: ['ignore-previous'] },
  input: z.object({
    id: idArgument,
    prompt: z.string().max(128).describe('The prompt, as the provider calls it'),
    rules: z.array(z.string().max(100)).max(20).describe('The rules it broke'),
  }),
  handler: async (use: ProviderFamilyMeans, { id, prompt, rules }, call) =>
    factsOf(await quarantineForPoison(use, call.ticket, id, prompt, rules)),
});
