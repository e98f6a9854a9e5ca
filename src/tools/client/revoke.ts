/** Takes a client's token away. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { revokeClient } from '../../domain/governance/manage-credentials.ts';
import { clientFacts, factsOf } from './client-shape.ts';
import type { ClientMeans } from './means.ts';

export const revoke = defineTool({
  ...OWNER_ONLY,
  name: 'client.revoke',
  title: 'Revoke a client',
  summary: "Takes a client's token away at once, also from calls under way.",
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  destructive: true,
  write: { kind: 'credential', contentArgument: 'name', derivation: 'none' },
  example: { name: 'claude-code' },
  input: z.object({ name: z.string().max(64) }),
  output: z.object({ client: clientFacts }),
  async handler(use: ClientMeans, input, call) {
    return { client: factsOf(await revokeClient(use, call.ticket, input.name), call.at) };
  },
});
