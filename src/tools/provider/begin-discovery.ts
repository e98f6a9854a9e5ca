/** Notes that a provider is being discovered. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { beginDiscovery } from '../../domain/providers/note-discovery.ts';
import { INTERNAL } from './internal-shape.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { factsOf, idArgument } from './provider-shape.ts';

export const beginDiscoveryTool = defineTool({
  ...INTERNAL,
  name: 'provider.begin_discovery',
  title: 'Begin discovery',
  summary: 'Notes that a provider is being discovered.',
  example: { id: 'files' },
  input: z.object({ id: idArgument }),
  handler: async (use: ProviderFamilyMeans, { id }, call) =>
    factsOf(await beginDiscovery(use, call.ticket, id)),
});
