/** Runs or asks an upstream server once, reads what it shows and ends it again. */
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { OWNER_OF_PROVIDERS } from './provider-shape.ts';
import { DISCOVERY, runDiscovery } from './run-discovery.ts';

export const discover = defineTool({
  ...OWNER_OF_PROVIDERS,
  ...DISCOVERY,
  name: 'provider.discover',
  title: 'Discover a provider',
  summary:
    'Connects to the provider, reads everything it shows, and says what is odd about it. Nothing of it can be called before provider.review.',
  handler: (use: ProviderFamilyMeans, { id }, call) => runDiscovery(use, id, call.caller.principal.name),
});
