/** How a workspace is doing: what may want a look, how much there is of each, and where to begin. */
import { z } from 'zod';
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import { brokenLinks, countBroken } from '../broken-links.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import type { WorkspaceMeans } from '../means.ts';
import { mentionsOf, type PageMention } from '../page-links.ts';
import { PAGE_CHECKS, type PageCheck } from '../ports/health-store.ts';

export const HEALTH_CHECKS = ['broken_links', 'ambiguous_links', ...PAGE_CHECKS] as const;
export type HealthCheck = (typeof HEALTH_CHECKS)[number];

export interface HealthItem {
  readonly page: PageMention;
  /** Of a link: what it says. */
  readonly written?: string;
}

export interface CheckedHealth {
  readonly check: HealthCheck;
  readonly count: number;
  readonly items: readonly HealthItem[];
  readonly nextCursor?: string;
}

const place = z.object({ check: z.enum(HEALTH_CHECKS), after: z.string() });

/** One check, a page of it after another. */
export async function checkHealth(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  check: HealthCheck,
  limit: number,
  cursor?: string,
): Promise<CheckedHealth> {
  const after =
    cursor === undefined ? undefined : readCursor(cursor, place.extend({ check: z.literal(check) })).after;
  const page = isPageCheck(check)
    ? await pagesOf(use, scope, workspace, check, limit, after)
    : await linksOf(use, scope, workspace, check, limit, after);
  const { items, next } = page;
  return {
    check,
    count: page.count,
    items,
    ...(next !== undefined && { nextCursor: writeCursor({ check, after: next }) }),
  };
}

const isPageCheck = (check: HealthCheck): check is PageCheck => PAGE_CHECKS.some((one) => one === check);

interface Found {
  readonly count: number;
  readonly items: readonly HealthItem[];
  readonly next?: string | undefined;
}

async function pagesOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  check: PageCheck,
  limit: number,
  after: string | undefined,
): Promise<Found> {
  const found = await use.health.pages(scope, workspace, check, limit + 1, after as PageId | undefined);
  const shown = found.slice(0, limit);
  const mentions = await mentionsOf(use, scope, workspace, new Set(shown));
  return {
    count: await use.health.count(scope, workspace, check),
    items: shown.flatMap((id) => {
      const page = mentions.get(id);
      return page ? [{ page }] : [];
    }),
    ...(found.length > limit && { next: shown.at(-1) }),
  };
}

async function linksOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  check: 'broken_links' | 'ambiguous_links',
  limit: number,
  after: string | undefined,
): Promise<Found> {
  const status = check === 'broken_links' ? 'unresolved' : 'ambiguous';
  const { links } = await brokenLinks(use, scope, workspace, [status], after);
  const shown = links.slice(0, limit);
  const last = shown.at(-1)?.link;
  return {
    count: use.links.settled(scope)
      ? await use.health.countLinks(scope, workspace, status)
      : await countBroken(use, scope, workspace, status),
    items: shown.map(({ page, link }) => ({ page, written: link.path })),
    ...(links.length > limit &&
      last && { next: writeCursor({ source: last.source, ordinal: last.ordinal }) }),
  };
}
