/** Searches memory. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { TIERS } from '../../domain/memory/memory-item.ts';
import { SMALLEST_BUDGET, searchMemory } from '../../domain/memory/search-items.ts';
import { asRead, itemView, timeArgument, timeOf, workspaceOf } from './memory-shape.ts';

export const memorySearch = defineTool({
  name: 'memory_search',
  title: 'Search memory',
  summary:
    'Finds what is remembered. What something else holds instead of is hidden unless asked for, and counted.',
  scopes: ['memory.read'],
  effect: 'read_only',
  idempotent: true,
  sandboxEligible: true,
  example: { query: 'release train', tiers: ['semantic'] },
  input: z.object({
    query: z.string().max(10_000).default('').describe('Words; empty = newest first'),
    tiers: z
      .array(z.enum(TIERS))
      .min(1)
      .max(4)
      .default(['working', 'episodic', 'semantic', 'procedural'])
      .describe('Where to look'),
    as_of: timeArgument.describe('What held at that time'),
    include_superseded: z.boolean().default(false).describe('Also what holds no more'),
    include_candidates: z
      .boolean()
      .default(false)
      .describe('Also what waits for review: your own, or all of it for who may review'),
    since: timeArgument.describe('Observed at or after'),
    until: timeArgument.describe('Observed before'),
    budget: z
      .int()
      .min(SMALLEST_BUDGET)
      .max(100_000)
      .default(2_000)
      .describe('How many tokens the answer may have'),
    cursor: z.string().max(4_000).optional().describe('next_cursor of the call before'),
  }),
  output: z.object({
    items: z.array(itemView),
    hidden: z.object({ superseded: z.int(), candidates: z.int() }),
    next_cursor: z.string().optional().describe('Give it as cursor to go on; absent at the end'),
  }),
  async handler(use: MemoryMeans, input, call) {
    const wish = {
      query: input.query,
      tiers: input.tiers,
      asOf: timeOf('as_of', input.as_of, call.at),
      includeSuperseded: input.include_superseded,
      includeCandidates: input.include_candidates,
      observedSince: timeOf('since', input.since, call.at),
      observedBefore: timeOf('until', input.until, call.at),
      budget: input.budget,
      cursor: input.cursor,
    };
    const answer = await searchMemory(use, call.read, workspaceOf(call), call.caller, wish, call.at);
    for (const item of answer.read) call.noteRead(asRead(item));
    return {
      items: [...answer.items],
      hidden: answer.hidden,
      ...(answer.nextCursor !== undefined && { next_cursor: answer.nextCursor }),
    };
  },
});
