/** Reads a page. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { type PageReading, readPage as read } from '../../domain/workspace/read-page.ts';
import { invalidInput } from '../../kernel/errors.ts';
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
import { describeSource, sourceFact } from './provenance-shape.ts';

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
    view: z
      .enum(['newest', 'mine'])
      .default('newest')
      .describe('mine = with the changes you proposed and that still wait'),
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
    derived_from: z.array(sourceFact),
    headings: z.array(z.object({ level: z.int(), title: z.string(), section: z.string() })).optional(),
    pending: z
      .object({ proposals: z.array(z.string()), left_out: z.array(z.string()) })
      .optional()
      .describe('With view mine: whose changes the text holds, and which did not fit'),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    if (input.view === 'mine' && input.version !== undefined)
      throw invalidInput('version', 'goes without view "mine", which is of the newest');
    const reading = await read(use, call.read, workspaceOf(call), {
      ...(input.view === 'mine' && { mine: { by: call.caller.principal.id, now: call.at } }),
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
    ...(reading.overlay && {
      pending: { proposals: [...reading.overlay.proposals], left_out: [...reading.overlay.leftOut] },
    }),
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
    derived_from: reading.sources.map(describeSource),
    ...(outlineOnly && {
      headings: reading.headings.map(({ level, title, path }) => ({ level, title, section: path.join('#') })),
    }),
    ...(reading.nextCursor !== undefined && { next_cursor: reading.nextCursor }),
  };
}
