/** Switches a provider off. */
import { defineTool } from '../../catalogue/tool-definition.ts';
import { moveProvider } from '../../domain/providers/move-provider.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { MOVE } from './move-shape.ts';
import { factsOf } from './provider-shape.ts';

export const disable = defineTool({
  ...MOVE,
  name: 'provider.disable',
  title: 'Disable a provider',
  summary: 'Switches a provider off and ends what runs of it.',
  handler: async (use: ProviderFamilyMeans, { id, reason }, call) =>
    factsOf(await moveProvider(use, call.ticket, id, 'DISABLED', 'operator', reason)),
});
