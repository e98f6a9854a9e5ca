/** Lists which file each page is. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { listPageFiles as list } from '../../domain/workspace/sync/list-page-files.ts';
import { LIFECYCLES } from '../../kernel/submission.ts';
import { cursorArgument, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';

export const listPageFiles = defineTool({
  name: 'list_page_files',
  title: 'List the files of pages',
  summary: 'Lists live pages as the files they are in a synced folder, with versions and without texts.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  example: {},
  input: z.object({
    under: pageArgument.optional().describe('Only what lies below this page, by paths from there'),
    cursor: cursorArgument,
  }),
  output: z.object({
    workspace: z.string(),
    change: z.int().describe('The number of the newest change'),
    files: z.array(
      z.object({
        page: z.string(),
        path: z.string(),
        version: z.string(),
        lifecycle: z.enum(LIFECYCLES),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const workspace = workspaceOf(call);
    const { files, change, nextCursor } = await list(use, call.read, workspace, input);
    return {
      workspace,
      change,
      files: [...files],
      ...(nextCursor !== undefined && { next_cursor: nextCursor }),
    };
  },
});
