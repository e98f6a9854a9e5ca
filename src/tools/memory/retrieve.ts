/** Gives back what a job keeps under a key. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { itemsOfJob, jobArguments, keyArgument } from './job-memory.ts';

export const retrieve = defineTool({
  name: 'memory.retrieve',
  title: 'Retrieve what this job keeps',
  summary: "What stands under a key on the job's scratch paper.",
  scopes: ['memory.read'],
  effect: 'read_only',
  taskScoped: ['job_id'],
  idempotent: true,
  sandboxEligible: true,
  example: { job_id: 'job-1', key: 'plan' },
  input: z.object({ ...jobArguments, key: keyArgument }),
  output: z.object({ key: z.string(), content: z.string(), summary: z.string().nullable() }),
  async handler(use: MemoryMeans, input, call) {
    const found = (await itemsOfJob(use, input, call)).find(({ name }) => name === input.key);
    if (!found)
      throw new SluiceError('not_found', `This job keeps nothing under "${input.key}"`, { field: 'key' });
    return { key: input.key, content: found.body, summary: found.description };
  },
});
