/** Holding, releasing, switching off and removing a provider; each with a reason that is kept. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { moveProvider, releaseProvider } from '../../domain/providers/manage-providers.ts';
import type { ProviderFamilyMeans } from './means.ts';
import {
  driftFacts,
  driftOf,
  factsOf,
  idArgument,
  OWNER_OF_PROVIDERS,
  providerFacts,
  reasonArgument,
} from './provider-shape.ts';

const MOVE = {
  ...OWNER_OF_PROVIDERS,
  effect: 'local_side_effect',
  write: { kind: 'provider', derivation: 'none' },
  example: { id: 'files', reason: 'looks wrong' },
  input: z.object({ id: idArgument, reason: reasonArgument }),
  output: z.object(providerFacts),
} as const;

export const quarantine = defineTool({
  ...MOVE,
  name: 'provider.quarantine',
  title: 'Quarantine a provider',
  summary: 'Holds a provider: nothing of it can be called until a person releases it.',
  handler: async (use: ProviderFamilyMeans, { id, reason }, call) =>
    factsOf(await moveProvider(use, call.ticket, id, 'QUARANTINED', 'operator', reason)),
});

export const disable = defineTool({
  ...MOVE,
  name: 'provider.disable',
  title: 'Disable a provider',
  summary: 'Switches a provider off and ends what runs of it.',
  handler: async (use: ProviderFamilyMeans, { id, reason }, call) =>
    factsOf(await moveProvider(use, call.ticket, id, 'DISABLED', 'operator', reason)),
});

export const remove = defineTool({
  ...MOVE,
  name: 'provider.remove',
  title: 'Remove a provider',
  summary: 'Takes a provider away for good; its history stays, and the id can be used anew.',
  destructive: true,
  handler: async (use: ProviderFamilyMeans, { id, reason }, call) =>
    factsOf(await moveProvider(use, call.ticket, id, 'REMOVED', 'removed', reason)),
});

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
