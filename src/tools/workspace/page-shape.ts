/** How pages look in the answers of this family. */
import { z } from 'zod';
import type { ReadContext } from '../../catalogue/call-context.ts';
import type { PageHeader } from '../../domain/workspace/page.ts';
import { DEFAULT_MAX_TOKENS, LARGEST_MAX_TOKENS } from '../../domain/workspace/token-budget.ts';
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import { LIFECYCLES, ORIGINS } from '../../kernel/submission.ts';

export const pageArgument = z
  .string()
  .min(1)
  .max(2_000)
  .describe('A page: its id, its path, or a slug that only one page has');

/** Longer than any question, short enough to be answered at once. */
export const MAX_QUERY = 10_000;

/** For queries that come in another way than as an argument of `search`. */
export function checkQuery(field: string, query: string): string {
  if (query.length <= MAX_QUERY) return query;
  throw invalidInput(field, `must be at most ${MAX_QUERY} characters long`);
}

export const cursorArgument = z.string().max(4_000).optional().describe('next_cursor of the call before');

export const maxTokensArgument = z
  .int()
  .min(50)
  .max(LARGEST_MAX_TOKENS)
  .default(DEFAULT_MAX_TOKENS)
  .describe('About how many tokens the answer may have');

/** Every writer of one page takes it: without it, a caller's precondition would be dropped without a word. */
export const ifMatchArgument = z
  .string()
  .max(1_000)
  .optional()
  .describe('Refuse unless this is still the version');

export const idempotencyArgument = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Any text; a retry with the same key gets the first answer instead of doing it again');

export const derivedFromArgument = z
  .array(z.string().min(1).max(2_000))
  .max(200)
  .optional()
  .describe('Pages the content was made from');

export const propertiesArgument = z
  .record(
    z.string(),
    z.union([
      z.string(),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(z.union([z.string(), z.number(), z.boolean()])),
    ]),
  )
  .optional()
  .describe('Typed values by name');

export const nextCursor = z.string().optional().describe('Give it as cursor to go on; absent at the end');

/** The facts every answer about a page carries. */
export const pageFacts = {
  id: z.string(),
  slug: z.string(),
  path: z.string(),
  title: z.string(),
  version: z.string(),
  origin: z.enum(ORIGINS),
  lifecycle: z.enum(LIFECYCLES),
};

export function factsOf(page: PageHeader, path: string) {
  return {
    id: page.id,
    slug: page.slug,
    path,
    title: page.title,
    version: page.version,
    origin: page.origin,
    lifecycle: page.lifecycle,
  };
}

export const mention = z.object({ id: z.string(), title: z.string(), path: z.string() });

export const isoTime = (at: number): string => new Date(at).toISOString();

/** The pipeline lets no call through that needs a workspace and has none. */
export function workspaceOf(call: Pick<ReadContext, 'caller'>): WorkspaceId {
  const { workspace } = call.caller.context;
  if (workspace) return workspace;
  throw new SluiceError('no_workspace', 'No workspace is open for this caller');
}
