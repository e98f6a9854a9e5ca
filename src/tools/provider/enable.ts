/** Switches a provider on again: it is discovered anew, and goes on if it shows what was admitted. */
import { defineTool } from '../../catalogue/tool-definition.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { OWNER_OF_PROVIDERS } from './provider-shape.ts';
import { DISCOVERY, runDiscovery } from './run-discovery.ts';

export const enable = defineTool({
  ...OWNER_OF_PROVIDERS,
  ...DISCOVERY,
  name: 'provider.enable',
  title: 'Enable a provider',
  summary:
    'Switches a disabled provider on again: it is discovered, and goes on if it is as it was admitted.',
  async handler(use: ProviderFamilyMeans, { id }, call) {
    const provider = use.directory.find(id);
    if (!provider) throw new SluiceError('not_found', `There is no provider "${id}"`, { field: 'id' });
    if (provider.state !== 'DISABLED')
      throw new SluiceError(
        'conflict',
        `"${id}" is ${provider.state}, not DISABLED${provider.state === 'QUARANTINED' ? `; to let it go on: sluice provider release ${id} --reason "…"` : ''}`,
        { reason: 'state' },
      );
    return runDiscovery(use, id, call.caller.principal.name);
  },
});
