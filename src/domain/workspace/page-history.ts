/** What happened to a page, newest first. */
import { z } from 'zod';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { findPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import type { PageHeader } from './page.ts';
import type { WorkspaceEvent } from './ports/event-log.ts';

const place = z.object({ before: z.int().min(1) });

export async function pageHistory(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  reference: string,
  limit: number,
  cursor?: string,
): Promise<{
  readonly page: PageHeader;
  readonly events: readonly WorkspaceEvent[];
  readonly nextCursor?: string;
}> {
  const page = await findPage(use, scope, workspace, reference);
  const before = cursor === undefined ? undefined : readCursor(cursor, place).before;
  const found = await use.events.ofPage(scope, page.id, limit + 1, before);
  const events = found.slice(0, limit);
  const last = events.at(-1);
  const more = found.length > limit && last;
  return { page, events, ...(more && { nextCursor: writeCursor({ before: last.sequence }) }) };
}
