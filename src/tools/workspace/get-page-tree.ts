/** The tree of pages. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { MAX_DEPTH } from '../../domain/workspace/page.ts';
import { pageTree } from '../../domain/workspace/page-tree.ts';
import { cursorArgument, maxTokensArgument, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';

const node = z.object({
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  path: z.string(),
  icon: z.string().optional(),
  lifecycle: z.string(),
  child_count: z.int(),
  get children() {
    return z.array(node);
  },
});

export const getPageTree = defineTool({
  name: 'get_page_tree',
  title: 'Page tree',
  summary: 'The hierarchy of pages, parents before children, in parts where it is large.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { depth: 2 },
  input: z.object({
    root: pageArgument.optional().describe('Only what lies below this page'),
    depth: z.int().min(1).max(MAX_DEPTH).default(MAX_DEPTH).describe('How many levels'),
    cursor: cursorArgument,
    max_tokens: maxTokensArgument,
  }),
  output: z.object({ tree: z.array(node), next_cursor: nextCursor }),
  async handler(use: WorkspaceMeans, input, call) {
    const { tree, nextCursor: next } = await pageTree(use, call.read, workspaceOf(call), {
      root: input.root,
      depth: input.depth,
      maxTokens: input.max_tokens,
      cursor: input.cursor,
    });
    return { tree: [...tree], ...(next !== undefined && { next_cursor: next }) };
  },
});
