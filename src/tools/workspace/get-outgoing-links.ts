/** Links of a page. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { outgoingLinks } from '../../domain/workspace/page-links.ts';
import { LINK_STATUSES } from '../../domain/workspace/ports/link-store.ts';
import { cursorArgument, mention, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';

export const getOutgoingLinks = defineTool({
  name: 'get_outgoing_links',
  title: 'Outgoing links',
  summary: 'Links of a page with what they mean: a page, nothing yet, or several pages it could be.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { page: 'projects/alpha' },
  input: z.object({ page: pageArgument, cursor: cursorArgument }),
  output: z.object({
    links: z.array(
      z.object({
        status: z.enum(LINK_STATUSES),
        written: z.string().describe('The path as the link names it'),
        target: mention.optional(),
        candidates: z.array(mention).describe('What an ambiguous link may mean'),
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
    const found = await outgoingLinks(use, call.read, workspaceOf(call), input.page, input.cursor);
    return {
      links: found.links.map(({ link, target, candidates, context }) => ({
        status: link.status,
        written: link.path,
        ...(target && { target }),
        candidates: [...candidates],
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
