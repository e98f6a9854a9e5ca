/** Tags across pages in SQL. */
import { type RawBuilder, sql } from 'kysely';
import type { TagStore } from '../../domain/workspace/ports/tag-store.ts';
import type { PageId } from '../../kernel/ids.ts';
import { valuesOf } from './chunks.ts';
import { reading } from './scopes.ts';

export const tagStore: TagStore = {
  async list(scope, workspace, limit, { under, after }) {
    const db = reading(scope);
    const conditions = [sql`page_tag.workspace_id = ${workspace}`, sql`page.trash_batch is null`];
    if (under !== undefined) conditions.push(isOrNested(sql`tag_key`, under));
    if (after !== undefined) conditions.push(sql`tag_key > ${after}`);
    const { rows } = await sql<{ key: string; tag: string; pages: number }>`
      select tag_key as key, min(tag) as tag, count(*) as pages
      from page_tag join page on page.id = page_tag.page_id
      where ${sql.join(conditions, sql` and `)}
      group by tag_key order by tag_key limit ${limit}`.execute(db);
    if (rows.length === 0) return [];
    const counted = await sql<{ key: string; pages: number }>`
      select given.column1 as key, count(distinct page_tag.page_id) as pages
      from ${valuesOf(rows.map(({ key }) => [key]))} as given
      join page_tag on page_tag.workspace_id = ${workspace} and (tag_key = given.column1
        or (tag_key > given.column1 || '/' and tag_key < given.column1 || '0'))
      join page on page.id = page_tag.page_id and page.trash_batch is null
      group by given.column1`.execute(db);
    const nested = new Map(counted.rows.map(({ key, pages }) => [key, Number(pages)]));
    return rows.map(({ key, tag, pages }) => ({
      key,
      tag,
      pages: Number(pages),
      nested: nested.get(key) ?? Number(pages),
    }));
  },

  async pagesWith(scope, workspace, key) {
    const { rows } = await sql<{ id: PageId }>`
      select distinct page.id from page_tag join page on page.id = page_tag.page_id
      where page_tag.workspace_id = ${workspace} and page.trash_batch is null
      and ${isOrNested(sql`tag_key`, key)} order by page.id`.execute(reading(scope));
    return rows.map(({ id }) => id);
  },
};

/** What is nested begins with the tag and a slash, and a slash comes right before the digit 0. */
const isOrNested = (column: RawBuilder<unknown>, key: string) =>
  sql`(${column} = ${key} or (${column} > ${`${key}/`} and ${column} < ${`${key}0`}))`;
