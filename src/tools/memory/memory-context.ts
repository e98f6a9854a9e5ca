/** Everything a thread should have in mind. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { memoryContext as contextFor, DEFAULT_BUDGET } from '../../domain/memory/memory-context.ts';
import { asRead, itemView, workspaceOf } from './memory-shape.ts';

const perTier = <T extends z.ZodType>(of: T) =>
  z.object({ working: of, episodic: of, semantic: of, procedural: of });

export const memoryContext = defineTool({
  name: 'memory_context',
  title: 'Memory for this thread',
  summary:
    'What to have in mind now: all four tiers within one budget of tokens. Bodies of procedures are read with memory_read.',
  scopes: ['memory.read'],
  effect: 'read_only',
  idempotent: true,
  sandboxEligible: true,
  example: { query: 'prepare the release', budget: 1_500 },
  input: z.object({
    thread: z
      .string()
      .regex(/^[\w.:@/-]{1,128}$/)
      .optional()
      .describe('One of your own threads; else the one the call came in'),
    query: z.string().max(10_000).optional().describe('What it is about; else what the thread has in mind'),
    budget: z
      .int()
      .min(200)
      .max(100_000)
      .default(DEFAULT_BUDGET)
      .describe('How many tokens the answer may have'),
  }),
  output: z.object({
    tiers: perTier(z.array(itemView)),
    left: perTier(z.int()).describe('How many there were that did not fit'),
  }),
  async handler(use: MemoryMeans, input, call) {
    const workspace = workspaceOf(call);
    const { tiers, left, read } = await contextFor(use, call.read, workspace, call.caller, input, call.at);
    for (const item of read) call.noteRead(asRead(item));
    return {
      tiers: {
        working: [...tiers.working],
        episodic: [...tiers.episodic],
        semantic: [...tiers.semantic],
        procedural: [...tiers.procedural],
      },
      left: { ...left },
    };
  },
});
