/** Changes what a client is offered of what its role gives. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { limitClient } from '../../domain/governance/manage-toolsets.ts';
import { capArgument, clientFacts, factsOf } from './client-shape.ts';
import type { ClientMeans } from './means.ts';

export const limit = defineTool({
  ...OWNER_ONLY,
  name: 'client.limit',
  title: 'Limit a client',
  summary:
    'Gives a client a toolset, a longest list of tools, or both; in force at once, also for open sessions.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  idempotent: true,
  write: { kind: 'credential', contentArgument: 'name', derivation: 'none' },
  example: { name: 'cursor', cap: 40 },
  input: z.object({
    name: z.string().max(64),
    toolset: z.string().max(64).nullable().optional().describe('A toolset; null = everything of its role'),
    cap: capArgument.nullable().optional().describe('Tools in its list at most; null = no limit'),
  }),
  output: z.object({ client: clientFacts }),
  async handler(use: ClientMeans, { name, ...wanted }, call) {
    return { client: factsOf(await limitClient(use, call.ticket, name, wanted), call.at) };
  },
});
