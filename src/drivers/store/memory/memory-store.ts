/** What is remembered, in SQL, the same on both databases. */
import { sql } from 'kysely';
import { isStale, type Tier } from '../../../domain/memory/memory-item.ts';
import type { MemoryStore, Standing, TierCount } from '../../../domain/memory/ports/memory-store.ts';
import type { MemoryId } from '../../../kernel/ids.ts';
import { inPieces } from '../chunks.ts';
import type { Database } from '../schema.ts';
import { reading, writing } from '../scopes.ts';
import { itemConditions, standingOf, visibleTo } from './item-conditions.ts';
import { agingOf, changingColumns, toItems } from './item-rows.ts';
import { putTokens, searchItems } from './item-search.ts';
import { upkeepQueries } from './upkeep-queries.ts';

type Row = Database['memory_item'];

/** More statements about one thing than anybody makes; the oldest of more stay as they are. */
const LONGEST_LINE = 1_000;

const GROWING_STALE: readonly Tier[] = ['semantic', 'procedural'];

export const memoryStore: MemoryStore = {
  async insert(tx, item, tokens) {
    await writing(tx)
      .insertInto('memory_item')
      .values({
        id: item.id,
        workspace_id: item.workspace,
        tier: item.tier,
        created_at: item.createdAt,
        tokens: tokens.length,
        ...changingColumns(item),
      })
      .execute();
    const sources = item.sources.map(({ kind, id, version }, ordinal) => ({
      item_id: item.id,
      ordinal,
      kind,
      source_id: id,
      source_version: version,
    }));
    await inPieces(sources, async (piece) => {
      await writing(tx)
        .insertInto('memory_source')
        .values([...piece])
        .execute();
      return [];
    });
    await putTokens(tx, item.workspace, item.id, tokens);
  },

  async save(tx, item, tokens) {
    await writing(tx)
      .updateTable('memory_item')
      .set({ ...changingColumns(item), ...(tokens && { tokens: tokens.length }) })
      .where('id', '=', item.id)
      .execute();
    if (!tokens) return;
    await putTokens(tx, item.workspace, item.id, tokens);
    await writing(tx).deleteFrom('memory_vector').where('item_id', '=', item.id).execute();
  },

  async remove(tx, ids) {
    await inPieces(ids, async (piece) => {
      const db = writing(tx);
      await db.deleteFrom('memory_term').where('item_id', 'in', piece).execute();
      await db.deleteFrom('memory_vector').where('item_id', 'in', piece).execute();
      await db.deleteFrom('memory_source').where('item_id', 'in', piece).execute();
      await db.deleteFrom('memory_item').where('id', 'in', piece).execute();
      return [];
    });
  },

  async find(scope, workspace, ids) {
    const rows = await inPieces(ids, (piece) =>
      reading(scope)
        .selectFrom('memory_item')
        .selectAll()
        .where('workspace_id', '=', workspace)
        .where('id', 'in', piece)
        .execute(),
    );
    return toItems(scope, rows);
  },

  async list(scope, workspace, filter, limit, after) {
    const place =
      after === undefined
        ? sql`1 = 1`
        : sql`(item.observed_at < ${after.observedAt} or (item.observed_at = ${after.observedAt} and item.id < ${after.id}))`;
    const { rows } = await sql<Row>`select item.* from memory_item item
      where ${itemConditions(workspace, filter)} and ${place}
      order by item.observed_at desc, item.id desc limit ${limit}`.execute(reading(scope));
    return toItems(scope, rows);
  },

  async count(scope, workspace, filter) {
    const { rows } = await sql<{ items: number }>`select count(*) as items from memory_item item
      where ${itemConditions(workspace, filter)}`.execute(reading(scope));
    return Number(rows[0]?.items ?? 0);
  },

  search: searchItems,

  async countTiers(scope, workspace, viewer, at) {
    const { rows } = await sql<{ tier: string; standing: string; items: number; bytes: number }>`
      select item.tier, ${standingOf(at)} as standing, count(*) as items, sum(item.bytes) as bytes
      from memory_item item where item.workspace_id = ${workspace} and ${visibleTo(viewer)}
      group by 1, 2 order by 1, 2`.execute(reading(scope));
    return rows.map(
      (row): TierCount => ({
        tier: row.tier as Tier,
        standing: row.standing as Standing,
        count: Number(row.items),
        bytes: Number(row.bytes),
      }),
    );
  },

  async countStale(scope, workspace, viewer, at) {
    const filter = { tiers: GROWING_STALE, viewer, standing: ['in-force'], at } as const;
    const { rows } = await sql<Pick<Row, 'tier' | 'facts' | 'created_at'>>`
      select item.tier, item.facts, item.created_at from memory_item item
      where ${itemConditions(workspace, filter)}`.execute(reading(scope));
    const stale = rows.filter((row) => isStale(agingOf(row), at));
    return new Map(
      GROWING_STALE.map((tier) => [tier, stale.filter((row) => row.tier === tier).length] as const),
    );
  },

  async ofKey(scope, workspace, place, key, trash) {
    let query = reading(scope)
      .selectFrom('memory_item')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('item_key', '=', key)
      .where('tier', '=', place.tier)
      .where('scope', '=', place.scope)
      .where('scope_key', '=', place.scopeKey);
    if (trash === undefined) query = query.where('trashed_at', 'is', null);
    const rows = await query
      .orderBy('valid_from', 'desc')
      .orderBy('id', 'desc')
      .limit(LONGEST_LINE)
      .execute();
    return toItems(scope, rows);
  },

  async ofThread(scope, workspace, thread) {
    const rows = await reading(scope)
      .selectFrom('memory_item')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('scope', '=', 'thread')
      .where('scope_key', '=', thread)
      .orderBy('updated_at')
      .orderBy('id')
      .execute();
    return toItems(scope, rows);
  },

  async countAwaiting(scope, workspace, owner) {
    const row = await reading(scope)
      .selectFrom('memory_item')
      .select((item) => item.fn.countAll().as('items'))
      .where('workspace_id', '=', workspace)
      .where('tier', 'in', ['semantic', 'procedural'])
      .where('owner_id', '=', owner)
      .where('lifecycle', '!=', 'canonical')
      .where('trashed_at', 'is', null)
      .executeTakeFirst();
    return Number(row?.items ?? 0);
  },

  async derivedFrom(scope, workspace, ids) {
    const rows = await inPieces(ids, (piece) =>
      reading(scope)
        .selectFrom('memory_item')
        .selectAll()
        .where('workspace_id', '=', workspace)
        .where('trashed_at', 'is', null)
        .where('id', 'in', (query) =>
          query.selectFrom('memory_source').select('item_id').where('source_id', 'in', piece),
        )
        .orderBy('id')
        .execute(),
    );
    return toItems(scope, [...new Map(rows.map((row) => [row.id, row])).values()]);
  },

  async supersededBy(scope, workspace, ids) {
    const rows = await inPieces(ids as readonly MemoryId[], (piece) =>
      reading(scope)
        .selectFrom('memory_item')
        .selectAll()
        .where('workspace_id', '=', workspace)
        .where('superseded_by', 'in', piece)
        .execute(),
    );
    return toItems(scope, rows);
  },

  ...upkeepQueries,
};
