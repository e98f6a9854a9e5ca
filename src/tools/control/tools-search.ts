/** Finds tools that the caller's list is too short for. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { searchTools } from './finding/search-tools.ts';
import { FINDS, STALE_SINCE, staleness, tokensOf } from './finding-shape.ts';
import type { ControlMeans } from './means.ts';

const MAX_SUMMARY = 300;

export const toolsSearch = defineTool({
  ...FINDS,
  name: 'tools_search',
  title: 'Search tools',
  summary:
    'Your list shows only some of your tools. Finds the others by what they do; tools_describe shows their arguments.',
  effect: 'read_only',
  example: { query: 'rename a page' },
  input: z.object({
    query: z.string().min(1).max(400).describe('What the tool should do, in a few words'),
    limit: z.int().min(1).max(25).default(8),
  }),
  output: z.object({
    matches: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        summary: z.string(),
        effect: z.string(),
        tokens: z.int().describe('What it costs to have it described'),
        ...STALE_SINCE,
      }),
    ),
    searched: z.int().describe('Tools there are'),
    by: z.enum(['words', 'words and meaning']),
    note: z.string().nullable(),
  }),
  async handler(use: ControlMeans, { query, limit }, { caller }) {
    const tools = use.visibleTools(caller).filter(({ finds }) => !finds);
    const found = await searchTools(use.nearest, tools, query);
    const matches = found.tools.slice(0, limit).map((tool) => ({
      name: tool.name,
      title: tool.title,
      summary: tool.summary.slice(0, MAX_SUMMARY),
      effect: tool.effect,
      tokens: tokensOf(tool),
      ...staleness(tool),
    }));
    const note = matches.length > 0 ? null : `Nothing matches among your ${tools.length} tools`;
    return { matches, searched: tools.length, by: found.by, note };
  },
});
