/** Everything that a list would say of tools it is too short for. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { describeTool } from '../../catalogue/wire-tool.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { FINDS, STALE_SINCE, staleness, tokensOf } from './finding-shape.ts';
import type { ControlMeans } from './means.ts';

export const toolsDescribe = defineTool({
  ...FINDS,
  name: 'tools_describe',
  title: 'Describe tools',
  summary: 'Shows tools found by tools_search with their arguments and results, ready for tools_call.',
  effect: 'read_only',
  limits: { outputBytes: 4 * 1024 * 1024 },
  example: { names: ['read_page'] },
  input: z.object({
    names: z.array(z.string().max(200)).min(1).max(20).describe('Names of tools, as tools_search has them'),
  }),
  output: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        effect: z.string(),
        inputSchema: z.record(z.string(), z.unknown()),
        outputSchema: z.record(z.string(), z.unknown()).optional(),
        annotations: z.record(z.string(), z.unknown()),
        tokens: z.int(),
        ...STALE_SINCE,
      }),
    ),
  }),
  async handler(use: ControlMeans, { names }, { caller }) {
    const visible = new Map(use.visibleTools(caller).map((tool) => [tool.name, tool]));
    const tools = [...new Set(names)].map((name) => {
      const known = use.toolNamed(name);
      const tool = known && visible.get(known.name);
      // As the call of it would be answered.
      if (!tool) throw new SluiceError('unknown_tool', `Unknown tool: ${name}`);
      const { icons: _, _meta: __, ...described } = describeTool(tool, 'dotted');
      return { ...described, effect: tool.effect, tokens: tokensOf(tool), ...staleness(tool) };
    });
    return { tools };
  },
});
