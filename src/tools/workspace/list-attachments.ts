/** Lists attachments. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { listAttachments as list } from '../../domain/workspace/attachments.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { cursorArgument, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';

export const listAttachments = defineTool({
  name: 'list_attachments',
  title: 'List attachments',
  summary: 'Lists the files of the workspace that are no pages, by path.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: {},
  input: z.object({
    under: pageArgument.optional().describe('Only files below this page, by their paths from there'),
    cursor: cursorArgument,
  }),
  output: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        full_path: z.string().describe('Give it to read_attachment'),
        digest: z.string(),
        size: z.int(),
        media_type: z.string(),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { files, base, nextCursor } = await list(use, call.read, workspaceOf(call), input);
    return {
      files: files.map(({ path, digest, size, mediaType }) => ({
        path: path.slice(base.length),
        full_path: path,
        digest,
        size,
        media_type: mediaType,
      })),
      ...(nextCursor !== undefined && { next_cursor: nextCursor }),
    };
  },
});
