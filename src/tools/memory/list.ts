/** Lists what a job keeps. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { WORKING_ITEMS } from '../../domain/memory/memory-item.ts';
import { readCursor, writeCursor } from '../../domain/workspace/cursor.ts';
import { itemsOfJob, jobArguments } from './job-memory.ts';

const place = z.object({ after: z.string() });

export const list = defineTool({
  name: 'memory.list',
  title: 'List what this job keeps',
  summary: "The keys on the job's scratch paper with their summaries.",
  scopes: ['memory.read'],
  effect: 'read_only',
  taskScoped: ['job_id'],
  idempotent: true,
  sandboxEligible: true,
  example: { job_id: 'job-1' },
  input: z.object({
    ...jobArguments,
    limit: z.int().min(1).max(WORKING_ITEMS).default(WORKING_ITEMS),
    cursor: z.string().max(4_000).optional().describe('next_cursor of the call before'),
  }),
  output: z.object({
    entries: z.array(z.object({ key: z.string(), summary: z.string().nullable(), bytes: z.int() })),
    next_cursor: z.string().optional().describe('Give it as cursor to go on; absent at the end'),
  }),
  async handler(use: MemoryMeans, input, call) {
    const after = input.cursor === undefined ? '' : readCursor(input.cursor, place).after;
    const keyed = (await itemsOfJob(use, input, call)).flatMap((item) =>
      item.name === null ? [] : [{ ...item, name: item.name }],
    );
    const rest = keyed.filter(({ name }) => name > after).sort((a, b) => (a.name < b.name ? -1 : 1));
    const shown = rest.slice(0, input.limit);
    const last = shown.at(-1);
    return {
      entries: shown.map(({ name, description, body }) => ({
        key: name,
        summary: description,
        bytes: Buffer.byteLength(body),
      })),
      ...(last && rest.length > shown.length && { next_cursor: writeCursor({ after: last.name }) }),
    };
  },
});
