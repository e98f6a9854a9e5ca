/** Takes something off a job's scratch paper. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { clearWorking } from '../../domain/memory/clear-working.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { jobArguments, keyArgument, threadOfJob } from './job-memory.ts';

export const deleteEntry = defineTool({
  name: 'memory.delete',
  title: 'Delete what this job keeps',
  summary: "Takes a key off the job's scratch paper; also fine when it is not there.",
  scopes: ['memory.write'],
  effect: 'local_side_effect',
  taskScoped: ['job_id'],
  destructive: true,
  idempotent: true,
  sandboxEligible: true,
  write: { kind: 'memory', derivation: 'none' },
  example: { job_id: 'job-1', key: 'plan' },
  input: z.object({ ...jobArguments, key: keyArgument }),
  output: z.object({ key: z.string(), deleted: z.boolean() }),
  async handler(use: MemoryMeans, input, call) {
    const deleted = await clearWorking(use, call.ticket, threadOfJob(input, call), input.key);
    return { key: input.key, deleted };
  },
});
