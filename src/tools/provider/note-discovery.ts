/** Keeps what a provider showed, or why it could not be asked. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { type Discovery, noteDiscovery } from '../../domain/providers/note-discovery.ts';
import type { ProviderSurface } from '../../domain/providers/surface.ts';
import { INTERNAL, surfaceShape } from './internal-shape.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { factsOf, idArgument } from './provider-shape.ts';

export const noteDiscoveryTool = defineTool({
  ...INTERNAL,
  name: 'provider.note_discovery',
  title: 'Note what was discovered',
  summary: 'Keeps what a provider showed, or why it could not be asked.',
  example: { id: 'files', failure: 'It could not be reached' },
  input: z.object({
    id: idArgument,
    surface: surfaceShape.optional(),
    failure: z.string().max(2_000).optional().describe('Why it could not be asked'),
    kind: z.string().max(64).optional().describe('Of the failure'),
    interrupted: z.boolean().optional().describe('Nobody lived to see how it ended'),
  }),
  async handler(use: ProviderFamilyMeans, { id, surface, failure, kind, interrupted }, call) {
    const discovery: Discovery = surface
      ? { surface: surface as ProviderSurface }
      : { failure: failure ?? 'for an unknown reason', kind, interrupted };
    return factsOf(await noteDiscovery(use, call.ticket, id, discovery));
  },
});
