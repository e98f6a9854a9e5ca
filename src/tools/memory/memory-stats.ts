/** How much is remembered. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { TIERS } from '../../domain/memory/memory-item.ts';
import { viewerOf } from '../../domain/memory/viewer.ts';
import { workspaceOf } from './memory-shape.ts';

export const memoryStats = defineTool({
  name: 'memory_stats',
  title: 'Count memories',
  summary:
    'How many memories there are for you, tier by tier: in force, superseded, waiting for review, in the trash, stale.',
  scopes: ['memory.read'],
  effect: 'read_only',
  idempotent: true,
  example: {},
  input: z.object({}),
  output: z.object({
    tiers: z.array(
      z.object({
        tier: z.enum(TIERS),
        in_force: z.int(),
        superseded: z.int(),
        candidates: z.int(),
        trashed: z.int(),
        stale: z
          .int()
          .describe('Of those in force: long unused or failed, so that somebody should look at them'),
        bytes: z.int(),
      }),
    ),
  }),
  async handler(use: MemoryMeans, _input, call) {
    const asked = [call.read, workspaceOf(call), viewerOf(call.caller), call.at] as const;
    const counts = await use.memory.countTiers(...asked);
    const stale = await use.memory.countStale(...asked);
    return {
      tiers: TIERS.map((tier) => {
        const own = counts.filter((one) => one.tier === tier);
        const count = (standing: string) => own.find((one) => one.standing === standing)?.count ?? 0;
        return {
          tier,
          in_force: count('in-force'),
          superseded: count('ended'),
          candidates: count('candidate'),
          trashed: count('trashed'),
          stale: stale.get(tier) ?? 0,
          bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
        };
      }),
    };
  },
});
