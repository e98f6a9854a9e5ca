/** Lists the blocks of a page. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { listBlocks as list } from '../../domain/workspace/editing/page-blocks.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { cursorArgument, maxTokensArgument, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';
import { blockFacts, factsOfBlock } from './text-shape.ts';

export const listBlocks = defineTool({
  name: 'list_blocks',
  title: 'List blocks',
  summary:
    'Lists the blocks of a page with their ids, for edit_page: kind, headings above, digest, start of the text.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { page: 'projects/alpha' },
  input: z.object({ page: pageArgument, max_tokens: maxTokensArgument, cursor: cursorArgument }),
  output: z.object({
    page: z.string(),
    version: z.string(),
    total: z.int(),
    blocks: z.array(z.object({ ...blockFacts, text: z.string().describe('How it begins') })),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { page, max_tokens: maxTokens, cursor } = input;
    const found = await list(use, call.read, workspaceOf(call), { page, maxTokens, cursor });
    call.noteRead({ kind: 'page', id: found.page.id, version: found.page.version });
    return {
      page: found.page.id,
      version: found.page.version,
      total: found.total,
      blocks: found.blocks.map((block) => ({ ...factsOfBlock(block), text: block.text })),
      ...(found.nextCursor !== undefined && { next_cursor: found.nextCursor }),
    };
  },
});
