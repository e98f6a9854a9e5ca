/** What the four tools on a job's working memory share: a job that is the caller's own, and keys. */
import { z } from 'zod';
import type { ReadContext } from '../../catalogue/call-context.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import type { MemoryItem } from '../../domain/memory/memory-item.ts';
import { jobKey } from '../../domain/memory/viewer.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { workspaceOf } from './memory-shape.ts';

export const jobArguments = {
  job_id: z.string().min(1).max(128).describe('The job the call is made for'),
  task_id: z.string().min(1).max(128).optional().describe('Its task'),
};

export const keyArgument = z.string().min(1).max(200).describe('What it is called within the job');

interface JobInput {
  readonly job_id: string;
  readonly task_id?: string | undefined;
}

/** The pipeline has matched the job; a task that is named has to be the caller's as well. */
export function threadOfJob({ job_id, task_id }: JobInput, { caller }: Pick<ReadContext, 'caller'>): string {
  if (task_id !== undefined && caller.role !== 'owner' && task_id !== caller.context.task)
    throw new SluiceError('not_found', `There is no task "${task_id}"`, { field: 'task_id' });
  return jobKey(job_id);
}

export async function itemsOfJob(
  use: MemoryMeans,
  input: JobInput,
  call: ReadContext,
): Promise<readonly MemoryItem[]> {
  return use.memory.ofThread(call.read, workspaceOf(call), threadOfJob(input, call));
}
