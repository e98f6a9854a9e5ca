/** Places that name a page without linking to it. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { unlinkedMentions } from '../../domain/workspace/unlinked-mentions.ts';
import { cursorArgument, mention, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';

export const getUnlinkedMentions = defineTool({
  name: 'get_unlinked_mentions',
  title: 'Find unlinked mentions',
  summary:
    'Finds places in the text of other pages that say the title or an alias of a page without linking to it.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { page: 'projects/alpha' },
  input: z.object({ page: pageArgument, cursor: cursorArgument }),
  output: z.object({
    mentions: z.array(
      z.object({ page: mention, text: z.string(), context: z.string().describe('The sentence around it') }),
    ),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const found = await unlinkedMentions(use, call.read, workspaceOf(call), input.page, input.cursor);
    return {
      mentions: [...found.mentions],
      ...(found.nextCursor !== undefined && { next_cursor: found.nextCursor }),
    };
  },
});
