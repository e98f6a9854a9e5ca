/** Properties that have an order get it: numbers and dates of pages that are there already. */
import { type Kysely, sql } from 'kysely';
import type { PropertyValue } from '../../../domain/workspace/page.ts';
import { orderOf } from '../../../domain/workspace/properties/property-order.ts';
import type { Dialect } from '../dialect.ts';
import { propertyKey } from '../page-rows.ts';
import type { Database } from '../schema.ts';

const AT_ONCE = 500;

export async function addPropertyOrder(db: Kysely<Database>, { text, double }: Dialect): Promise<void> {
  await sql.raw(`alter table page_property add column order_kind ${text}`).execute(db);
  await sql.raw(`alter table page_property add column order_at ${double}`).execute(db);
  await sql
    .raw('create index page_property_order on page_property (workspace_id, key, order_kind, order_at)')
    .execute(db);
  for (let after = ''; ; ) {
    const pages = await db
      .selectFrom('page')
      .select(['id', 'properties'])
      .where('id', '>', after)
      .where('properties', '<>', '{}')
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    for (const page of pages) await putOrder(db, page.id, JSON.parse(page.properties));
    const last = pages.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function putOrder(
  db: Kysely<Database>,
  page: string,
  properties: Readonly<Record<string, PropertyValue>>,
): Promise<void> {
  for (const [key, value] of Object.entries(properties)) {
    for (const one of [value].flat()) {
      const order = one === null ? undefined : orderOf(one);
      if (!order) continue;
      await db
        .updateTable('page_property')
        .set({ order_kind: order.kind, order_at: order.at })
        .where('page_id', '=', page)
        .where('key', '=', key)
        .where('value', '=', propertyKey(String(one)))
        .execute();
    }
  }
}
