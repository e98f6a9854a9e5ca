/** Lists toolsets. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import type { ClientMeans } from '../means.ts';
import { factsOf, toolsetFacts } from './toolset-shape.ts';

export const list = defineTool({
  ...OWNER_ONLY,
  name: 'client.toolset.list',
  title: 'List toolsets',
  summary: 'Lists toolsets with what is in them and which clients have them.',
  scopes: ['settings.read'],
  effect: 'read_only',
  example: {},
  input: z.object({}),
  output: z.object({ toolsets: z.array(toolsetFacts) }),
  async handler(use: ClientMeans) {
    const governance = use.state.current();
    const toolsets = [...governance.toolsets.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return { toolsets: toolsets.map((toolset) => factsOf(governance, toolset)) };
  },
});
