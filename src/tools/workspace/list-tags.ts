/** Lists tags. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { listTags as list } from '../../domain/workspace/tags/list-tags.ts';
import { cursorArgument, nextCursor, workspaceOf } from './page-shape.ts';
import { tagArgument } from './tag-shape.ts';

export const listTags = defineTool({
  name: 'list_tags',
  title: 'List tags',
  summary:
    'Lists the tags of the workspace with how many pages have each, alone and with those nested in it.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { under: 'project' },
  input: z.object({
    under: tagArgument.optional().describe('Only this tag and those nested in it'),
    limit: z.int().min(1).max(500).default(200),
    cursor: cursorArgument,
  }),
  output: z.object({
    tags: z.array(
      z.object({
        tag: z.string(),
        pages: z.int().describe('With exactly this tag'),
        with_nested: z.int().describe('With it or one nested in it'),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { tags, nextCursor: next } = await list(use, call.read, workspaceOf(call), input);
    return {
      tags: tags.map(({ tag, pages, nested }) => ({ tag, pages, with_nested: nested })),
      ...(next !== undefined && { next_cursor: next }),
    };
  },
});
