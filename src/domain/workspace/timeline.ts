/** What happened in a workspace, newest first, by whoever and to whatever is asked for. */
import { z } from 'zod';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { findPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import type { PageHeader } from './page.ts';
import type { EventFilter, WorkspaceEvent } from './ports/event-log.ts';

export interface TimelineWish extends Omit<EventFilter, 'page'> {
  /** A page's id, path or slug. */
  readonly page?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const place = z.object({ before: z.int().min(1) });

export async function timeline(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  { page: reference, limit, cursor, ...filter }: TimelineWish,
): Promise<{
  readonly events: readonly WorkspaceEvent[];
  /** The pages that they are about, as they are now. */
  readonly pages: ReadonlyMap<PageId, PageHeader>;
  readonly nextCursor?: string;
}> {
  const page = reference === undefined ? undefined : await findPage(use, scope, workspace, reference);
  const before = cursor === undefined ? undefined : readCursor(cursor, place).before;
  const wanted = { ...filter, page: page?.id };
  const found = await use.events.matching(scope, workspace, wanted, limit + 1, before);
  const events = found.slice(0, limit);
  const ids = new Set(events.flatMap((event) => event.page ?? []));
  const headers = await use.pages.headers(scope, workspace, [...ids]);
  const last = events.at(-1);
  const more = found.length > limit && last;
  return {
    events,
    pages: new Map(headers.map((header) => [header.id, header])),
    ...(more && { nextCursor: writeCursor({ before: last.sequence }) }),
  };
}
