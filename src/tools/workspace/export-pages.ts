/** Exports pages as files. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { exportPages as exportFiles } from '../../domain/workspace/export-pages.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { cursorArgument, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';

export const exportPages = defineTool({
  name: 'export_pages',
  title: 'Export pages',
  summary: 'Answers live pages as Markdown files, part by part: those that were imported as they came.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  limits: { outputBytes: 16 * 1024 * 1024 },
  example: {},
  input: z.object({
    under: pageArgument.optional().describe('Only what lies below this page, by paths from there'),
    pages: z.array(z.string().max(100)).max(500).optional().describe('Only these, by their ids'),
    provenance: z
      .boolean()
      .default(false)
      .describe(
        'Write origin, lifecycle, version and sources into the frontmatter; bytes are then not as they came',
      ),
    aliases: z
      .boolean()
      .default(true)
      .describe(
        'Write names that a page kept when it was renamed into its frontmatter; false = the bare text',
      ),
    cursor: cursorArgument,
  }),
  output: z.object({
    files: z.array(
      z.object({
        page: z.string(),
        version: z.string(),
        path: z.string(),
        text: z.string(),
        digest: z.string(),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { files, nextCursor } = await exportFiles(use, call.read, workspaceOf(call), input);
    for (const { page: id, version } of files) call.noteRead({ kind: 'page', id, version });
    return {
      files: files.map((file) => ({ ...file, digest: `sha256:${file.digest}` })),
      ...(nextCursor !== undefined && { next_cursor: nextCursor }),
    };
  },
});
