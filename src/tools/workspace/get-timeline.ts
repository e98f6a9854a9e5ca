/** What happened in the whole workspace. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { EVENT_KINDS } from '../../domain/workspace/ports/event-log.ts';
import { timeline } from '../../domain/workspace/timeline.ts';
import { readPointInTime } from '../../kernel/points-in-time.ts';
import { describeEvent, eventFact } from './get-page-history.ts';
import { cursorArgument, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';

export const getTimeline = defineTool({
  name: 'get_timeline',
  title: 'Timeline of the workspace',
  summary:
    'Lists what happened in the workspace, newest first, by page, run, caller, kind or time. undo_run takes the run.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { kinds: ['page_created', 'content_changed'], limit: 50 },
  input: z.object({
    page: pageArgument.optional(),
    run: z.string().min(1).max(1_000).optional().describe('Only what this run did'),
    caller: z.string().min(1).max(300).optional().describe('The name of whoever did it'),
    kinds: z
      .array(z.enum(EVENT_KINDS))
      .min(1)
      .max(EVENT_KINDS.length)
      .optional()
      .describe('Only these kinds'),
    since: z
      .string()
      .max(40)
      .optional()
      .describe('Only from this time on: a date, as 2026-01-31T08:00:00Z, or a span back from now, as 30d'),
    limit: z.int().min(1).max(100).default(20),
    cursor: cursorArgument,
  }),
  output: z.object({
    events: z.array(
      eventFact.extend({
        page: z.string().nullable(),
        title: z.string().nullable().describe('What the page is called now'),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { since, ...wish } = input;
    const found = await timeline(use, call.read, workspaceOf(call), {
      ...wish,
      since: since === undefined ? undefined : readPointInTime('since', since, call.at, -1),
    });
    return {
      events: found.events.map((event) => ({
        ...describeEvent(event),
        page: event.page,
        title: (event.page && found.pages.get(event.page)?.title) ?? null,
      })),
      ...(found.nextCursor !== undefined && { next_cursor: found.nextCursor }),
    };
  },
});
