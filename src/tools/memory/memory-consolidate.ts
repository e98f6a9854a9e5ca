/** The upkeep of memory by hand; Sluice does the same by itself every hour. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import type { MemoryItem } from '../../domain/memory/memory-item.ts';
import { consolidate } from '../../domain/memory/upkeep/consolidate.ts';
import { factsOf, itemFacts } from './memory-shape.ts';

const madeItem = z.object({
  ...itemFacts,
  subject: z.string().nullable(),
  name: z.string().nullable(),
  body: z.string(),
});

export const memoryConsolidate = defineTool({
  name: 'memory_consolidate',
  title: 'Consolidate memory',
  summary:
    'Ends silent threads, tells what runs did, proposes what episodes have taught, sums up old episodes and empties old trash.',
  scopes: ['memory.write'],
  effect: 'local_side_effect',
  limits: { outputBytes: 4 * 1024 * 1024 },
  write: { kind: 'memory', derivation: 'none' },
  example: { dry_run: true },
  input: z.object({
    scope: z
      .enum(['workspace', 'agent'])
      .default('workspace')
      .describe('agent: only what you keep yourself; workspace: for who may review'),
    dry_run: z.boolean().default(false).describe('Only answer what it would do'),
  }),
  output: z.object({
    statements: z.array(z.object({ ...madeItem.shape, evidence: z.array(z.string()) })),
    threads: z.array(z.object({ ...madeItem.shape, replaces: z.int() })),
    runs: z.array(madeItem),
    summaries: z.array(z.object({ ...madeItem.shape, replaces: z.int() })),
    looks: z
      .array(madeItem)
      .describe('Procedures that fail or that nobody uses: a person is asked about them'),
    purged: z.int(),
    dry_run: z.boolean(),
  }),
  async handler(use: MemoryMeans, input, call) {
    const plan = await consolidate(use, call.ticket, { scope: input.scope, dryRun: input.dry_run });
    const made = (item: MemoryItem) => ({
      ...factsOf(item, call.at),
      subject: item.subject,
      name: item.name,
      body: item.body,
    });
    return {
      statements: plan.statements.map((item) => ({
        ...made(item),
        evidence: item.sources.map(({ id }) => id),
      })),
      threads: plan.threads.map(({ item, replaces }) => ({ ...made(item), replaces: replaces.length })),
      runs: plan.runs.episodes.map(made),
      summaries: plan.days.map(({ item, replaces }) => ({ ...made(item), replaces: replaces.length })),
      looks: plan.looks.map(made),
      purged: plan.purged.length,
      dry_run: input.dry_run,
    };
  },
});
