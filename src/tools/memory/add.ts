/** Keeps something for the rest of a job. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { writeItem } from '../../domain/memory/write-item.ts';
import { jobArguments, keyArgument, threadOfJob } from './job-memory.ts';

export const add = defineTool({
  name: 'memory.add',
  title: 'Keep for this job',
  summary: "Puts something under a key on the job's scratch paper; what stood there is written over.",
  scopes: ['memory.write'],
  effect: 'local_side_effect',
  taskScoped: ['job_id'],
  idempotent: true,
  sandboxEligible: true,
  write: { kind: 'memory', contentArgument: 'content', derivation: 'none' },
  example: { job_id: 'job-1', key: 'plan', content: 'First the tests.' },
  input: z.object({
    ...jobArguments,
    key: keyArgument,
    content: z.string().max(20_000),
    summary: z.string().max(200).optional().describe('What lists show of it'),
  }),
  output: z.object({
    key: z.string(),
    evicted: z.int().describe('How many older ones had to go to make room'),
  }),
  async handler(use: MemoryMeans, input, call) {
    const { evicted } = await writeItem(use, call.ticket, {
      tier: 'working',
      thread: threadOfJob(input, call),
      name: input.key,
      body: input.content,
      description: input.summary,
    });
    return { key: input.key, evicted: evicted.length };
  },
});
