/** All providers with their states. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { factsOf, OWNER_OF_PROVIDERS, providerFacts } from './provider-shape.ts';

export const list = defineTool({
  ...OWNER_OF_PROVIDERS,
  name: 'provider.list',
  title: 'List providers',
  summary: 'All upstream servers with their states and reasons. A stale one is listed as it was last read.',
  effect: 'read_only',
  example: {},
  input: z.object({}),
  output: z.object({ providers: z.array(z.object({ ...providerFacts, stale: z.boolean() })) }),
  handler: async (use: ProviderFamilyMeans) => ({
    providers: use.directory.all().map((provider) => ({
      ...factsOf(provider),
      stale: use.live.staleSince(provider.profile.id) !== null,
    })),
  }),
});
