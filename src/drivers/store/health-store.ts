/** What may want a look in a workspace, in SQL. */
import { type RawBuilder, sql } from 'kysely';
import type { HealthStore, PageCheck } from '../../domain/workspace/ports/health-store.ts';
import type { PageId } from '../../kernel/ids.ts';
import { reading } from './scopes.ts';

export const healthStore: HealthStore = {
  async count(scope, workspace, check) {
    const { rows } = await sql<{ pages: number }>`select count(*) as pages from page
      where page.workspace_id = ${workspace} and page.trash_batch is null and ${CHECKS[check]}`.execute(
      reading(scope),
    );
    return Number(rows[0]?.pages ?? 0);
  },

  async pages(scope, workspace, check, limit, after) {
    const behind = after === undefined ? sql`` : sql`and page.id > ${after}`;
    const { rows } = await sql<{ id: PageId }>`select page.id from page
      where page.workspace_id = ${workspace} and page.trash_batch is null and ${CHECKS[check]} ${behind}
      order by page.id limit ${limit}`.execute(reading(scope));
    return rows.map(({ id }) => id);
  },

  async countLinks(scope, workspace, status) {
    const { rows } = await sql<{ links: number }>`select count(*) as links from page_link
      join page on page.id = page_link.source_id and page.trash_batch is null
      where page_link.workspace_id = ${workspace} and page_link.status = ${status}`.execute(reading(scope));
    return Number(rows[0]?.links ?? 0);
  },
};

const CHECKS: Readonly<Record<PageCheck, RawBuilder<unknown>>> = {
  orphans: sql`page.parent_id is null
    and not exists (select 1 from page child where child.parent_id = page.id and child.trash_batch is null)
    and not exists (select 1 from page_link link
      join page source on source.id = link.source_id and source.trash_batch is null
      where link.target_id = page.id and link.source_id <> page.id)`,
  unreviewed: sql`page.lifecycle <> 'canonical'`,
  stale_derivations: sql`exists (select 1 from page_source used
    left join page source on source.id = used.source_id
    where used.page_id = page.id and used.source_kind = 'page'
    and used.sequence = (select max(newest.sequence) from page_source newest where newest.page_id = page.id)
    and (source.id is null or source.trash_batch is not null or source.version <> used.source_version))`,
};
