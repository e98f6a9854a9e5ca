/** Links to a page. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { backlinks } from '../../domain/workspace/page-links.ts';
import { cursorArgument, mention, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';

export const getBacklinks = defineTool({
  name: 'get_backlinks',
  title: 'Backlinks',
  summary: 'Pages that link to a page, each with the sentence around the link.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { page: 'projects/alpha' },
  input: z.object({ page: pageArgument, cursor: cursorArgument }),
  output: z.object({
    links: z.array(
      z.object({
        page: mention,
        context: z.string(),
        embed: z.boolean(),
        fragment: z.string().nullable(),
        display: z.string().nullable(),
      }),
    ),
    total: z.int(),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const found = await backlinks(use, call.read, workspaceOf(call), input.page, input.cursor);
    return {
      links: found.links.map(({ page, link, context }) => ({
        page,
        context,
        embed: link.embed,
        fragment: link.fragment,
        display: link.display,
      })),
      total: found.total,
      ...(found.nextCursor !== undefined && { next_cursor: found.nextCursor }),
    };
  },
});
