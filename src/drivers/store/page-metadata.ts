/** Tags, properties and aliases of pages in SQL: those that somebody set beside those that the text itself says. */
import { sql } from 'kysely';
import { nameKey } from '../../domain/workspace/names.ts';
import type { Page, PageHeader, PropertyValue } from '../../domain/workspace/page.ts';
import type { MetadataName, PageStore } from '../../domain/workspace/ports/page-store.ts';
import { orderOf } from '../../domain/workspace/properties/property-order.ts';
import type { PageId } from '../../kernel/ids.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import { inPieces } from './chunks.ts';
import { fixedQuery } from './fixed-query.ts';
import { propertyKey } from './page-rows.ts';
import { writing } from './scopes.ts';

type Owned = Pick<PageHeader, 'id' | 'workspace'>;

interface NameRow extends Omit<MetadataName, 'derived'> {
  readonly derived: number;
}

export const metadataOf = fixedQuery((db, page: PageId) => ({
  compile: () =>
    sql<NameRow>`select 'tag' as kind, tag as name, derived from page_tag where page_id = ${page}
      union all select distinct 'property', key, derived from page_property where page_id = ${page}
      union all select 'alias', alias, derived from page_alias where page_id = ${page}`.compile(db),
}));

export async function putTags(tx: WriteTx, page: Owned, tags: Page['tags'], derived = 0): Promise<void> {
  const db = writing(tx);
  await db.deleteFrom('page_tag').where('page_id', '=', page.id).where('derived', '=', derived).execute();
  if (tags.length === 0) return;
  const rows = tags.map((tag) => ({
    page_id: page.id,
    workspace_id: page.workspace,
    tag,
    tag_key: nameKey(tag),
    derived,
  }));
  await db
    .insertInto('page_tag')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function putProperties(
  tx: WriteTx,
  page: Owned,
  properties: Page['properties'],
  derived = 0,
): Promise<void> {
  const db = writing(tx);
  await db
    .deleteFrom('page_property')
    .where('page_id', '=', page.id)
    .where('derived', '=', derived)
    .execute();
  const rows = Object.entries(properties).flatMap(([key, value]) =>
    valuesOf(value).map((one) => ({
      page_id: page.id,
      workspace_id: page.workspace,
      key,
      ...one,
      derived,
    })),
  );
  await inPieces(rows, async (piece) => {
    await db
      .insertInto('page_property')
      .values([...piece])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return [];
  });
}

async function putAliases(tx: WriteTx, page: Owned, aliases: readonly string[]): Promise<void> {
  const db = writing(tx);
  await db.deleteFrom('page_alias').where('page_id', '=', page.id).where('derived', '=', 1).execute();
  if (aliases.length === 0) return;
  const rows = aliases.map((alias) => ({
    page_id: page.id,
    workspace_id: page.workspace,
    alias,
    alias_key: nameKey(alias),
    derived: 1,
  }));
  await db
    .insertInto('page_alias')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const putDerived: PageStore['putDerived'] = async (tx, page, derived, shown) => {
  await putTags(tx, page, derived.tags, 1);
  await putProperties(tx, page, derived.properties, 1);
  await putAliases(tx, page, derived.aliases);
  await writing(tx)
    .updateTable('page')
    .set({ tags: JSON.stringify(shown.tags), properties: JSON.stringify(shown.properties) })
    .where('id', '=', page.id)
    .execute();
};

/** As filters compare them, one for each member of a list; an empty one counts as an empty text. */
function valuesOf(
  value: PropertyValue,
): { value: string; order_kind: string | null; order_at: number | null }[] {
  const values = Array.isArray(value) && value.length === 0 ? [''] : [value].flat();
  return values.map((item) => {
    const order = item === null ? undefined : orderOf(item);
    return {
      value: propertyKey(String(item)),
      order_kind: order?.kind ?? null,
      order_at: order?.at ?? null,
    };
  });
}
