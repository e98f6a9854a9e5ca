/** Reads a page. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { type PageReading, readPage as read } from '../../domain/workspace/read-page.ts';
import {
  cursorArgument,
  factsOf,
  isoTime,
  maxTokensArgument,
  nextCursor,
  pageArgument,
  pageFacts,
  workspaceOf,
} from './page-shape.ts';

export const readPage = defineTool({
  name: 'read_page',
  title: 'Read a page',
  summary:
    'Reads a page with its metadata and version. Long pages come in parts; ask for a section or the outline to read less.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { page: 'projects/alpha' },
  input: z.object({
    page: pageArgument,
    section: z.string().max(1_000).optional().describe('A heading; nested ones as "Outer#Inner"'),
    outline: z.boolean().default(false).describe('Answer the headings instead of the text'),
    version: z.string().max(1_000).optional().describe('An earlier version of the text'),
    max_tokens: maxTokensArgument,
    cursor: cursorArgument,
  }),
  output: z.object({
    ...pageFacts,
    content: z.string().describe('Markdown, byte for byte; empty when only the outline was asked for'),
    icon: z.string().nullable(),
    parent: z.string().nullable(),
    tags: z.array(z.string()),
    properties: z.record(z.string(), z.unknown()),
    aliases: z.array(z.string()),
    words: z.int(),
    links_in: z.int(),
    links_out: z.int(),
    created_at: z.string(),
    created_by: z.string(),
    updated_at: z.string(),
    updated_by: z.string(),
    derived_from: z.array(
      z.object({
        page: z.string(),
        version: z.string(),
        changed_since: z.boolean().describe('The source has another text by now, or is gone'),
      }),
    ),
    headings: z.array(z.object({ level: z.int(), title: z.string(), section: z.string() })).optional(),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const reading = await read(use, call.read, workspaceOf(call), {
      page: input.page,
      section: input.section,
      outline: input.outline,
      version: input.version,
      maxTokens: input.max_tokens,
      cursor: input.cursor,
    });
    call.noteRead({ kind: 'page', id: reading.page.id, version: reading.version });
    return describeReading(reading, input.outline);
  },
});

function describeReading(reading: PageReading, outlineOnly: boolean) {
  const { page } = reading;
  return {
    ...factsOf(page, reading.path),
    version: reading.version,
    content: reading.content,
    icon: page.icon,
    parent: page.parent,
    tags: [...page.tags],
    properties: { ...page.properties },
    aliases: [...reading.aliases],
    words: page.words,
    links_in: reading.linksIn,
    links_out: reading.linksOut,
    created_at: isoTime(page.createdAt),
    created_by: page.createdBy,
    updated_at: isoTime(page.updatedAt),
    updated_by: page.updatedBy,
    derived_from: reading.sources.map(({ id, version, changedSince }) => ({
      page: id,
      version,
      changed_since: changedSince,
    })),
    ...(outlineOnly && {
      headings: reading.headings.map(({ level, title, path }) => ({ level, title, section: path.join('#') })),
    }),
    ...(reading.nextCursor !== undefined && { next_cursor: reading.nextCursor }),
  };
}
