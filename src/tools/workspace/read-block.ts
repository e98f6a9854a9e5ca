/** Reads one block. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { readBlock as read } from '../../domain/workspace/editing/page-blocks.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { cursorArgument, maxTokensArgument, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';
import { blockFacts, factsOfBlock } from './text-shape.ts';

export const readBlock = defineTool({
  name: 'read_block',
  title: 'Read a block',
  summary: 'Reads one block of a page, byte for byte, with the blank lines after it.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { page: 'projects/alpha', block: '^summary' },
  input: z.object({
    page: pageArgument,
    block: z.string().max(200).describe('Its id from list_blocks, or ^anchor'),
    max_tokens: maxTokensArgument,
    cursor: cursorArgument,
  }),
  output: z.object({
    page: z.string(),
    version: z.string(),
    ...blockFacts,
    content: z.string(),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { page, block, max_tokens: maxTokens, cursor } = input;
    const found = await read(use, call.read, workspaceOf(call), { page, block, maxTokens, cursor });
    call.noteRead({ kind: 'page', id: found.page.id, version: found.page.version });
    return {
      page: found.page.id,
      version: found.page.version,
      ...factsOfBlock(found.block),
      content: found.text,
      ...(found.nextCursor !== undefined && { next_cursor: found.nextCursor }),
    };
  },
});
