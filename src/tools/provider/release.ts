/** Lets a held provider go on with what it shows now. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { releaseProvider } from '../../domain/providers/review-provider.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { MOVE } from './move-shape.ts';
import { driftFacts, driftOf, factsOf, providerFacts } from './provider-shape.ts';

export const release = defineTool({
  ...MOVE,
  name: 'provider.release',
  title: 'Release a provider',
  summary:
    'Lets a quarantined provider go on: what it shows now is admitted for the tools that were admitted before.',
  output: z.object({ ...providerFacts, drift: z.array(driftFacts) }),
  async handler(use: ProviderFamilyMeans, { id, reason }, call) {
    const drift = use.directory.find(id);
    const provider = await releaseProvider(use, call.ticket, id, reason);
    return { ...factsOf(provider), drift: drift ? driftOf(drift) : [] };
  },
});
