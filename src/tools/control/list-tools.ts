/** What the caller could call. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { tokensOf } from './finding-shape.ts';
import type { ControlMeans } from './means.ts';

export const listTools = defineTool({
  name: 'list_tools',
  title: 'List tools',
  summary: 'Lists the tools you may call, with what each does and needs.',
  scopes: [],
  effect: 'read_only',
  sandboxEligible: true,
  example: { family: 'workspace' },
  input: z.object({ family: z.string().max(64).optional() }),
  output: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        summary: z.string(),
        family: z.string(),
        effect: z.string(),
        scopes: z.array(z.string()),
        tokens: z.int().describe('About what it costs in a list'),
      }),
    ),
  }),
  async handler(use: ControlMeans, input, call) {
    const tools = use.visibleTools(call.caller);
    const wanted = input.family === undefined ? tools : tools.filter((tool) => tool.family === input.family);
    return {
      tools: wanted.map((tool) => ({ ...tool, scopes: [...tool.scopes], tokens: tokensOf(tool) })),
    };
  },
});
