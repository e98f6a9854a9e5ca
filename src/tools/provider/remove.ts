/** Takes a provider away. */
import { defineTool } from '../../catalogue/tool-definition.ts';
import { moveProvider } from '../../domain/providers/move-provider.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { MOVE } from './move-shape.ts';
import { factsOf } from './provider-shape.ts';

export const remove = defineTool({
  ...MOVE,
  name: 'provider.remove',
  title: 'Remove a provider',
  summary: 'Takes a provider away for good; its history stays, and the id can be used anew.',
  destructive: true,
  handler: async (use: ProviderFamilyMeans, { id, reason }, call) =>
    factsOf(await moveProvider(use, call.ticket, id, 'REMOVED', 'removed', reason)),
});
