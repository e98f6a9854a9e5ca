/** Holds a provider whose live connection shows something else than what was admitted, or notes that the rest moved. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { quarantineForDrift } from '../../domain/providers/note-discovery.ts';
import type { ProviderSurface } from '../../domain/providers/surface.ts';
import { INTERNAL, surfaceShape } from './internal-shape.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { factsOf, idArgument } from './provider-shape.ts';

export const quarantineForDriftTool = defineTool({
  ...INTERNAL,
  name: 'provider.quarantine_for_drift',
  title: 'Hold a provider that drifted',
  summary:
    'Puts a provider into quarantine because what it shows is not what was admitted, or marks it degraded where only tools differ that nobody may call.',
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
  input: z.object({
    id: idArgument,
    surface: surfaceShape.optional(),
    problem: z.string().max(2_000).optional().describe('Why what it shows could not be read'),
  }),
  async handler(use: ProviderFamilyMeans, { id, surface, problem }, call) {
    const shown = surface ? (surface as ProviderSurface) : { problem: problem ?? 'It shows nothing' };
    return factsOf(await quarantineForDrift(use, call.ticket, id, shown));
  },
});
