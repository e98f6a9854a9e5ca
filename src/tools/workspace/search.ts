/** Searches pages. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { MEANING_STATES, SEARCH_MODES } from '../../domain/workspace/search-candidates.ts';
import type { SearchResult } from '../../domain/workspace/search-describe.ts';
import { searchPages } from '../../domain/workspace/search-pages.ts';
import { estimateTokens } from '../../domain/workspace/token-budget.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { LIFECYCLES, ORIGINS } from '../../kernel/submission.ts';
import {
  cursorArgument,
  isoTime,
  MAX_QUERY,
  maxTokensArgument,
  nextCursor,
  pageArgument,
  pageFacts,
  workspaceOf,
} from './page-shape.ts';

const bound = z
  .union([z.number(), z.string().max(40)])
  .optional()
  .describe('A number, a date or a time');

const propertyWish = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.object({
    exists: z.boolean().optional(),
    contains: z.string().min(1).max(200).optional(),
    gt: bound,
    gte: bound,
    lt: bound,
    lte: bound,
  }),
]);

export const search = defineTool({
  name: 'search',
  title: 'Search pages',
  summary:
    'Finds pages by words and by meaning. "phrase", -word, tag:x, prop:key=value (~ < <= > >=), has:key, under:path, origin:x, lifecycle:x narrow it; any input is a valid query.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { query: 'release "breaking change" -draft', limit: 5 },
  input: z.object({
    query: z.string().max(MAX_QUERY),
    limit: z.int().min(1).max(100).default(20),
    cursor: cursorArgument,
    mode: z.enum(SEARCH_MODES).default('hybrid'),
    filters: z
      .object({
        tags: z.array(z.string().max(200)).max(20).optional(),
        properties: z
          .record(z.string(), propertyWish)
          .optional()
          .describe('A value, of which a list has one member, or what is to hold'),
        under: pageArgument.optional(),
        origin: z.enum(ORIGINS).optional(),
        lifecycle: z.enum(LIFECYCLES).optional(),
        updated_since: z.string().max(40).optional().describe('A date or time, ISO 8601'),
      })
      .optional(),
    max_tokens: maxTokensArgument,
  }),
  output: z.object({
    results: z.array(
      z.object({
        ...pageFacts,
        score: z.number(),
        snippet: z.string(),
        marks: z.array(z.tuple([z.int(), z.int()])).describe('Where in the snippet the query matched'),
        heading_path: z.array(z.string()),
        block: z.string().optional(),
        why: z.array(z.string()),
        updated_at: z.string(),
      }),
    ),
    mode: z.enum(SEARCH_MODES).describe('What was used: text as long as meaning cannot be'),
    meaning: z.enum(MEANING_STATES).describe('How far the index by meaning is'),
    truncated: z.boolean().describe('More pages match than next_cursor leads to'),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { filters } = input;
    const answer = await searchPages(use, call.read, workspaceOf(call), {
      query: input.query,
      limit: input.limit,
      cursor: input.cursor,
      mode: input.mode,
      filters: { ...filters, updatedSince: readTime(filters?.updated_since) },
    });
    return {
      results: fitting(answer.results.map(describeResult), input.max_tokens),
      mode: answer.mode,
      meaning: answer.meaning,
      truncated: answer.truncated,
      ...(answer.nextCursor !== undefined && { next_cursor: answer.nextCursor }),
    };
  },
});

function describeResult({ page, mention, score, snippet, block, why }: SearchResult) {
  return {
    id: page.id,
    slug: page.slug,
    path: mention.path,
    title: page.title,
    version: page.version,
    origin: page.origin,
    lifecycle: page.lifecycle,
    score: Math.round(score * 1000) / 1000,
    snippet: snippet.text,
    marks: snippet.marks,
    heading_path: snippet.heading_path ?? [],
    ...(block !== undefined && { block }),
    why: [...why],
    updated_at: isoTime(page.updatedAt),
  };
}

/** Later results lose their snippets before any result is lost. */
function fitting<R extends { snippet: string; marks: [number, number][]; why: string[] }>(
  results: readonly R[],
  maxTokens: number,
): R[] {
  let tokens = 0;
  return results.map((result) => {
    tokens += estimateTokens(JSON.stringify(result));
    return tokens <= maxTokens ? result : { ...result, snippet: '', marks: [] };
  });
}

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw invalidInput('filters.updated_since', 'must be a date or time such as 2026-01-31');
  return at;
}
