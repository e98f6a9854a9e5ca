/** What changed between two versions of a page. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { diffVersions as diff } from '../../domain/workspace/diff-versions.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { cursorArgument, maxTokensArgument, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';

const versionArgument = z.string().min(1).max(1_000).optional();

export const diffVersions = defineTool({
  name: 'diff_versions',
  title: 'Compare two versions',
  summary:
    'Says what changed between any two versions of a page, as a unified diff or block by block. Without versions: what the last change did.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { page: 'projects/alpha' },
  input: z.object({
    page: pageArgument,
    from: versionArgument.describe('From get_page_history; left out = the one before "to"'),
    to: versionArgument.describe('Left out = as it is now'),
    form: z
      .enum(['unified', 'blocks'])
      .default('unified')
      .describe('By lines as `diff -u` has it, or by blocks'),
    max_tokens: maxTokensArgument,
    cursor: cursorArgument,
  }),
  output: z.object({
    page: z.string(),
    title: z.string(),
    from: z.string().nullable().describe('null = before the page was made'),
    to: z.string(),
    lines_added: z.int(),
    lines_removed: z.int(),
    diff: z.string().optional(),
    blocks: z
      .array(
        z.object({ change: z.enum(['added', 'removed', 'changed']), before: z.string(), after: z.string() }),
      )
      .optional(),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { max_tokens: maxTokens, ...wish } = input;
    const found = await diff(use, call.read, workspaceOf(call), { ...wish, maxTokens });
    call.noteRead({ kind: 'page', id: found.page.id, version: found.to });
    return {
      page: found.page.id,
      title: found.page.title,
      from: found.from === '' ? null : found.from,
      to: found.to,
      lines_added: found.linesAdded,
      lines_removed: found.linesRemoved,
      ...(found.diff !== undefined && { diff: found.diff }),
      ...(found.blocks && { blocks: [...found.blocks] }),
      ...(found.nextCursor !== undefined && { next_cursor: found.nextCursor }),
    };
  },
});
