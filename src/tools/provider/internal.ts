/** What Sluice itself does to providers, through the same pipeline as everybody; in no list and refused to all others. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import {
  beginDiscovery,
  type Discovery,
  noteDiscovery,
  quarantineForDrift,
} from '../../domain/providers/manage-providers.ts';
import type { ProviderSurface } from '../../domain/providers/surface.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { factsOf, idArgument, OWNER_OF_PROVIDERS, providerFacts } from './provider-shape.ts';

const INTERNAL = {
  ...OWNER_OF_PROVIDERS,
  listed: false,
  effect: 'local_side_effect',
  write: { kind: 'provider', derivation: 'none' },
  limits: { inputBytes: 8 * 1024 * 1024 },
  output: z.object(providerFacts),
} as const;

const shown = z.record(z.string(), z.unknown());
const surfaceShape = z.object({
  revision: z.string(),
  identity: shown,
  instructions: z.string().nullable(),
  tools: z.array(shown),
  prompts: z.array(shown),
  resourceTemplates: z.array(shown),
});

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

export const noteDiscoveryTool = defineTool({
  ...INTERNAL,
  name: 'provider.note_discovery',
  title: 'Note what was discovered',
  summary: 'Keeps what a provider showed, or why it could not be asked.',
  example: { id: 'files', failure: 'It could not be reached' },
  input: z.object({
    id: idArgument,
    surface: surfaceShape.optional(),
    failure: z.string().max(2_000).optional(),
  }),
  async handler(use: ProviderFamilyMeans, { id, surface, failure }, call) {
    const discovery: Discovery = surface
      ? { surface: surface as ProviderSurface }
      : { failure: failure ?? 'for an unknown reason' };
    return factsOf(await noteDiscovery(use, call.ticket, id, discovery));
  },
});

export const quarantineForDriftTool = defineTool({
  ...INTERNAL,
  name: 'provider.quarantine_for_drift',
  title: 'Hold a provider that drifted',
  summary: 'Puts a provider into quarantine because what it shows is not what was admitted.',
  example: {
    id: 'files',
    surface: {
      revision: '',
      identity: {},
      instructions: null,
      tools: [],
      prompts: [],
      resourceTemplates: [],
    },
  },
  input: z.object({ id: idArgument, surface: surfaceShape }),
  handler: async (use: ProviderFamilyMeans, { id, surface }, call) =>
    factsOf(await quarantineForDrift(use, call.ticket, id, surface as ProviderSurface)),
});
