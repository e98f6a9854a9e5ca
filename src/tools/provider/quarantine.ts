/** Holds a provider until a person releases it. */
import { defineTool } from '../../catalogue/tool-definition.ts';
import { moveProvider } from '../../domain/providers/move-provider.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { MOVE } from './move-shape.ts';
import { factsOf } from './provider-shape.ts';

export const quarantine = defineTool({
  ...MOVE,
  name: 'provider.quarantine',
  title: 'Quarantine a provider',
  summary: 'Holds a provider: nothing of it can be called until a person releases it.',
  handler: async (use: ProviderFamilyMeans, { id, reason }, call) =>
    factsOf(await moveProvider(use, call.ticket, id, 'QUARANTINED', 'operator', reason)),
});
