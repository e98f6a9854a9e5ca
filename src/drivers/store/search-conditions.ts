/** The filters of a search as SQL over `page`, the same on both databases. They apply before ranking. */
import { type RawBuilder, sql } from 'kysely';
import { nameKey } from '../../domain/workspace/names.ts';
import type { SearchFilter, SearchHit } from '../../domain/workspace/ports/search-index.ts';
import type { PropertyCondition } from '../../domain/workspace/search/property-condition.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { inPieces } from './chunks.ts';
import { propertyKey } from './page-rows.ts';
import { reading } from './scopes.ts';

export function searchConditions(workspace: WorkspaceId, filter: SearchFilter): RawBuilder<unknown> {
  const conditions = [sql`page.workspace_id = ${workspace}`, sql`page.trash_batch is null`];
  for (const tag of filter.tags) conditions.push(sql`exists (${tagged(tag)})`);
  for (const tag of filter.withoutTags ?? []) conditions.push(sql`not exists (${tagged(tag)})`);
  for (const condition of filter.properties) conditions.push(propertyCondition(condition));
  if (filter.under !== undefined) {
    conditions.push(sql`page.id in (with recursive down (id) as (
      select id from page where id in (${sql.join(filter.under)})
      union select child.id from page child join down on child.parent_id = down.id
    ) select id from down)`);
  }
  if (filter.origin !== undefined) conditions.push(sql`page.origin = ${filter.origin}`);
  if (filter.lifecycle !== undefined) conditions.push(sql`page.lifecycle = ${filter.lifecycle}`);
  if (filter.updatedSince !== undefined) conditions.push(sql`page.updated_at >= ${filter.updatedSince}`);
  return sql.join(conditions, sql` and `);
}

/** A tag also stands for the ones nested in it. */
function tagged(tag: string): RawBuilder<unknown> {
  const key = nameKey(tag);
  return sql`select 1 from page_tag where page_tag.page_id = page.id
    and (tag_key = ${key} or (tag_key > ${`${key}/`} and tag_key < ${`${key}0`}))`;
}

/** Of a list one member is enough. */
function propertyCondition(condition: PropertyCondition): RawBuilder<unknown> {
  const own = sql`select 1 from page_property where page_property.page_id = page.id and key = ${condition.key}`;
  if ('bound' in condition) {
    const { kind, bound, is } = condition;
    return sql`exists (${own} and order_kind = ${kind} and order_at ${BOUNDS[is]} ${bound})`;
  }
  if (!('value' in condition))
    return condition.is === 'there' ? sql`exists (${own})` : sql`not exists (${own})`;
  if (condition.is === 'equal') return sql`exists (${own} and value = ${propertyKey(condition.value)})`;
  // Both databases replace letter by letter; what they call "like" differs in case.
  return sql`exists (${own} and replace(value, ${nameKey(condition.value)}, '') <> value)`;
}

const BOUNDS = {
  at_least: sql`>=`,
  above: sql`>`,
  at_most: sql`<=`,
  below: sql`<`,
};

/** Scores count to so many digits: what lies behind depends on the order of additions and would decide ties by chance. */
export const SCORE_DIGITS = 9;

/** More tokens with one first letter are not looked at. */
export const MOST_TOKENS = 20_000;

/** What comes after everything that begins with an ASCII prefix. */
export const endOf = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

export interface HitRow {
  readonly id: string;
  readonly updated_at: number;
  readonly score: number;
}

export const toHit = (row: HitRow): SearchHit => ({
  page: row.id as PageId,
  score: row.score,
  updatedAt: row.updated_at,
});

/** Which of the pages a filter lets through. */
export async function admitPages(
  scope: ReadScope,
  workspace: WorkspaceId,
  filter: SearchFilter,
  pages: readonly PageId[],
): Promise<readonly SearchHit[]> {
  const rows = await inPieces(pages, async (piece) => {
    const query = sql<HitRow>`select page.id, page.updated_at, 0.0 as score from page
      where page.id in (${sql.join(piece)}) and ${searchConditions(workspace, filter)}`;
    return (await query.execute(reading(scope))).rows;
  });
  return rows.map(toHit);
}

/** Without words to rank by: newest first. */
export const browseQuery = (
  workspace: WorkspaceId,
  filter: SearchFilter,
  limit: number,
  behind: SearchHit | undefined,
): RawBuilder<HitRow> =>
  sql<HitRow>`select page.id, page.updated_at, 0.0 as score from page
    where ${searchConditions(workspace, filter)} and ${behind ? olderThan(behind) : sql`1 = 1`}
    order by page.updated_at desc, page.id limit ${limit}`;

const olderThan = ({ page, updatedAt }: SearchHit): RawBuilder<unknown> =>
  sql`(updated_at < ${updatedAt} or (updated_at = ${updatedAt} and id > ${page}))`;

/** The best of all that were found. `behind` a hit means behind where it stands now, as long as it is the same page. */
export function bestOf(
  found: RawBuilder<HitRow>,
  limit: number,
  behind: SearchHit | undefined,
): RawBuilder<HitRow> {
  const order = sql`order by score desc, updated_at desc, id limit ${limit}`;
  if (!behind) return sql<HitRow>`${found} ${order}`;
  return sql<HitRow>`with hit as materialized (${found}),
      mark (bar) as (select coalesce((select score from hit where id = ${behind.page}
        and updated_at = ${behind.updatedAt}), ${behind.score}))
    select id, updated_at, score from hit cross join mark
    where score < bar or (score = bar and ${olderThan(behind)}) ${order}`;
}
