/** Takes a toolset away that no client has. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import { removeToolset } from '../../../domain/governance/manage-toolsets.ts';
import type { ClientMeans } from '../means.ts';
import { toolsetName } from './toolset-shape.ts';

export const remove = defineTool({
  ...OWNER_ONLY,
  name: 'client.toolset.remove',
  title: 'Remove a toolset',
  summary: 'Takes a toolset away. One that a client still has stays.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  destructive: true,
  write: { kind: 'credential', contentArgument: 'name', derivation: 'none' },
  example: { name: 'docs' },
  input: z.object({ name: toolsetName }),
  output: z.object({ name: z.string(), removed: z.literal(true) }),
  async handler(use: ClientMeans, { name }, call) {
    await removeToolset(use, call.ticket, name);
    return { name, removed: true as const };
  },
});
