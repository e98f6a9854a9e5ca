/** Lists what is in the trash. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { listTrash as list } from '../../domain/workspace/list-trash.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { cursorArgument, isoTime, nextCursor, workspaceOf } from './page-shape.ts';

export const listTrash = defineTool({
  name: 'list_trash',
  title: 'List the trash',
  summary: 'Lists deletions that were not restored, newest first, with the pages of each.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: {},
  input: z.object({ limit: z.int().min(1).max(100).default(20), cursor: cursorArgument }),
  output: z.object({
    batches: z.array(
      z.object({
        batch: z.string(),
        deleted_at: z.string(),
        deleted_by: z.string(),
        count: z.int(),
        pages: z.array(z.object({ id: z.string(), title: z.string() })),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { batches, nextCursor: next } = await list(
      use,
      call.read,
      workspaceOf(call),
      input.limit,
      input.cursor,
    );
    return {
      batches: batches.map(({ batch, pages }) => ({
        batch: batch.id,
        deleted_at: isoTime(batch.at),
        deleted_by: batch.principalName,
        count: pages.length,
        pages: pages.slice(0, 20).map(({ id, title }) => ({ id, title })),
      })),
      ...(next !== undefined && { next_cursor: next }),
    };
  },
});
