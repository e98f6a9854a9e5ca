/** What the program of a provider wrote to its standard error, and what a provider logged by messages. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { maskForPeople } from '../../domain/providers/firewall/mask-for-people.ts';
import { loadProvider } from '../../domain/providers/move-provider.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { idArgument, OWNER_OF_PROVIDERS } from './provider-shape.ts';

export const logs = defineTool({
  ...OWNER_OF_PROVIDERS,
  name: 'provider.logs',
  title: 'Show what a provider said',
  summary:
    "The newest of what the provider's program wrote to its standard error, and of what it logged by messages, masked; untrusted text.",
  effect: 'read_only',
  example: { id: 'files' },
  input: z.object({ id: idArgument }),
  output: z.object({ id: z.string(), connected: z.boolean(), stderr: z.string() }),
  async handler(use: ProviderFamilyMeans, { id }, call) {
    await loadProvider(use, call.read, id);
    const { connected, stderr } = use.live.status(id);
    return { id, connected, stderr: maskForPeople(stderr) };
  },
});
