/** Links of the whole workspace that lead nowhere, or to several pages. */
import { z } from 'zod';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { meanings } from './link-meanings.ts';
import type { WorkspaceMeans } from './means.ts';
import { mentionsOf, type PageMention } from './page-links.ts';
import type { LinkEntry, LinkStatus } from './ports/link-store.ts';

export const BROKEN_STATUSES = [
  'unresolved',
  'ambiguous',
  'trashed',
] as const satisfies readonly LinkStatus[];

const PAGE = 200;
const place = z.object({ source: z.string(), ordinal: z.int().min(0) });

export async function brokenLinks(
  use: Pick<WorkspaceMeans, 'pages' | 'files' | 'links'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  statuses: readonly LinkStatus[],
  cursor?: string,
): Promise<{
  readonly links: readonly { readonly page: PageMention; readonly link: LinkEntry }[];
  readonly nextCursor?: string;
}> {
  const at = cursor === undefined ? undefined : readCursor(cursor, place);
  const after = at && { source: at.source as PageId, ordinal: at.ordinal };
  const found = await brokenAsSeen(use, scope, workspace, statuses, PAGE + 1, after);
  const shown = found.slice(0, PAGE);
  const mentions = await mentionsOf(use, scope, workspace, new Set(shown.map((link) => link.source)));
  const last = shown.at(-1);
  return {
    links: shown.flatMap((link) => {
      const page = mentions.get(link.source);
      return page ? [{ page, link }] : [];
    }),
    ...(found.length > PAGE &&
      last && { nextCursor: writeCursor({ source: last.source, ordinal: last.ordinal }) }),
  };
}

/** What is broken for others may lead somewhere for who looks, and the other way round. */
async function brokenAsSeen(
  use: Pick<WorkspaceMeans, 'pages' | 'files' | 'links'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  statuses: readonly LinkStatus[],
  limit: number,
  after: { readonly source: PageId; readonly ordinal: number } | undefined,
): Promise<readonly LinkEntry[]> {
  if (use.links.settled(scope)) return use.links.withStatus(scope, workspace, statuses, limit, after);
  const broken: LinkEntry[] = [];
  for (let from = after; broken.length < limit; ) {
    const some = await use.links.withStatus(scope, workspace, [...BROKEN_STATUSES, 'file'], limit, from);
    const meant = await meanings(use, scope, workspace, some);
    broken.push(...meant.map(({ link }) => link).filter((link) => statuses.includes(link.status)));
    if (some.length < limit) break;
    from = some.at(-1);
  }
  return broken.slice(0, limit);
}

/** For who does not see all pages: what is noted of links is not what they mean to it. */
export async function countBroken(
  use: Pick<WorkspaceMeans, 'pages' | 'files' | 'links'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  status: LinkStatus,
): Promise<number> {
  let count = 0;
  for (let from: LinkEntry | undefined; ; ) {
    const some = await brokenAsSeen(use, scope, workspace, [status], PAGE, from);
    count += some.length;
    from = some.at(-1);
    if (some.length < PAGE) return count;
  }
}
