/** Lists clients. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { clientFacts, factsOf } from './client-shape.ts';
import type { ClientMeans } from './means.ts';

export const list = defineTool({
  ...OWNER_ONLY,
  name: 'client.list',
  title: 'List clients',
  summary: 'Lists clients with their roles and states. Tokens are not kept and cannot be shown.',
  scopes: ['settings.read'],
  effect: 'read_only',
  example: {},
  input: z.object({ all: z.boolean().default(false).describe('Revoked ones as well') }),
  output: z.object({ clients: z.array(clientFacts) }),
  async handler(use: ClientMeans, input, call) {
    const clients = use.state
      .current()
      .credentials.filter((known) => known.kind === 'client' && (input.all || known.revokedAt === null));
    return { clients: clients.map((client) => factsOf(client, call.at)) };
  },
});
