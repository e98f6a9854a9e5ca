/** Links of the whole workspace that need a look. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { BROKEN_STATUSES, brokenLinks } from '../../domain/workspace/broken-links.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { cursorArgument, mention, nextCursor, workspaceOf } from './page-shape.ts';

export const findBrokenLinks = defineTool({
  name: 'find_broken_links',
  title: 'Find broken links',
  summary: 'Finds links that mean no page, several pages or a page in the trash.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: {},
  input: z.object({
    status: z
      .array(z.enum(BROKEN_STATUSES))
      .min(1)
      .default(['unresolved', 'ambiguous'])
      .describe('What is wrong with them'),
    cursor: cursorArgument,
  }),
  output: z.object({
    links: z.array(
      z.object({ page: mention, status: z.enum(BROKEN_STATUSES), written: z.string(), embed: z.boolean() }),
    ),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const found = await brokenLinks(use, call.read, workspaceOf(call), input.status, input.cursor);
    return {
      links: found.links.map(({ page, link }) => ({
        page,
        status: link.status as (typeof BROKEN_STATUSES)[number],
        written: link.path,
        embed: link.embed,
      })),
      ...(found.nextCursor !== undefined && { next_cursor: found.nextCursor }),
    };
  },
});
