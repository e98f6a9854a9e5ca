/** Forgets. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { forgetItems } from '../../domain/memory/forget-items.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { memoryArgument } from './memory-shape.ts';

export const memoryForget = defineTool({
  name: 'memory_forget',
  title: 'Forget',
  summary:
    'Puts memories into the trash for 30 days. What held before them holds again, and what was derived from them is checked.',
  scopes: ['memory.write'],
  effect: 'local_side_effect',
  destructive: true,
  idempotent: true,
  sandboxEligible: true,
  write: { kind: 'memory', derivation: 'none' },
  example: { ids: ['0197f0a0-0000-7000-8000-000000000000'], dry_run: true },
  input: z.object({
    ids: z.array(memoryArgument).min(1).max(100).describe('What to forget'),
    dry_run: z.boolean().default(false).describe('Only answer what it would do'),
  }),
  output: z.object({
    forgotten: z.array(z.string()),
    revived: z.array(z.string()).describe('What holds again'),
    derived: z.array(
      z.object({
        id: z.string(),
        sources_left: z.int(),
        becomes: z.enum(['supported', 'unsupported', 'forgotten']),
      }),
    ),
    dry_run: z.boolean(),
  }),
  async handler(use: MemoryMeans, input, call) {
    const done = await forgetItems(use, call.ticket, { ids: input.ids, dryRun: input.dry_run });
    return {
      forgotten: done.items.map(({ id }) => id),
      revived: [...done.revived],
      derived: done.derived.map(({ item, left, becomes }) => ({ id: item.id, sources_left: left, becomes })),
      dry_run: input.dry_run,
    };
  },
});
