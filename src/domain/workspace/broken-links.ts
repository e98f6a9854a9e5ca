/** Links of the whole workspace that lead nowhere, or to several pages. */
import { z } from 'zod';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
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
  use: Pick<WorkspaceMeans, 'pages' | 'links'>,
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
  const found = await use.links.withStatus(scope, workspace, statuses, PAGE + 1, after);
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
