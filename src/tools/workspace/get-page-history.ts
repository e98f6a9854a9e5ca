/** What happened to a page. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { pageHistory } from '../../domain/workspace/page-history.ts';
import type { WorkspaceEvent } from '../../domain/workspace/ports/event-log.ts';
import { cursorArgument, isoTime, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';

export const eventFact = z.object({
  sequence: z.int(),
  change: z.int().describe('Shared by all events of one change; undo_change takes it'),
  at: z.string(),
  kind: z.string(),
  by: z.string(),
  tool: z.string(),
  run: z.string(),
  call: z.string(),
  origin: z.string(),
  before_version: z.string().nullable(),
  after_version: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});

export const getPageHistory = defineTool({
  name: 'get_page_history',
  title: 'History of a page',
  summary:
    'Lists what happened to a page, newest first: who, with which tool, in which run, from which version to which.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { page: 'projects/alpha' },
  input: z.object({ page: pageArgument, limit: z.int().min(1).max(100).default(20), cursor: cursorArgument }),
  output: z.object({
    page: z.string(),
    events: z.array(eventFact),
    next_cursor: nextCursor,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const history = await pageHistory(
      use,
      call.read,
      workspaceOf(call),
      input.page,
      input.limit,
      input.cursor,
    );
    return {
      page: history.page.id,
      events: history.events.map(describeEvent),
      ...(history.nextCursor !== undefined && { next_cursor: history.nextCursor }),
    };
  },
});

export function describeEvent(event: WorkspaceEvent) {
  // The key by which siblings are ordered is nobody's business: it tells of those that are hidden.
  const { position: _, ...details } = event.details;
  return {
    sequence: event.sequence,
    change: event.change,
    at: isoTime(event.at),
    kind: event.kind,
    by: event.principalName,
    tool: event.tool,
    run: event.run,
    call: event.call,
    origin: event.origin,
    before_version: event.beforeVersion,
    after_version: event.afterVersion,
    details,
  };
}
