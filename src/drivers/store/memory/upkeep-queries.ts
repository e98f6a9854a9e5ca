/** What the upkeep of memory asks for: always the oldest first, always bounded. */
import { sql } from 'kysely';
import type { MemoryStore } from '../../../domain/memory/ports/memory-store.ts';
import type { MemoryId, WorkspaceId } from '../../../kernel/ids.ts';
import type { WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { Database } from '../schema.ts';
import { reading, writing } from '../scopes.ts';
import { toItems } from './item-rows.ts';

type UpkeepQueries = Pick<
  MemoryStore,
  | 'idleThreads'
  | 'untoldRuns'
  | 'markTold'
  | 'markAllTold'
  | 'oldEpisodes'
  | 'recentEpisodes'
  | 'trashedBefore'
>;

const ownedBy = (owner: string | undefined) =>
  owner === undefined ? sql`1 = 1` : sql`item.owner_id = ${owner}`;

/** No run is called so. */
const ALL_RUNS = '';

export const upkeepQueries: UpkeepQueries = {
  async idleThreads(scope, workspace, since, owner, limit) {
    const { rows } = await sql<{ scope_key: string }>`select item.scope_key from memory_item item
      where item.workspace_id = ${workspace} and item.scope = 'thread' and ${ownedBy(owner)}
      group by item.scope_key having max(item.updated_at) < ${since}
      order by max(item.updated_at), item.scope_key limit ${limit}`.execute(reading(scope));
    return rows.map((row) => row.scope_key);
  },

  async untoldRuns(scope, workspace, events) {
    const db = reading(scope);
    const all = await db
      .selectFrom('memory_run')
      .select('told_through')
      .where('workspace_id', '=', workspace)
      .where('run_id', '=', ALL_RUNS)
      .executeTakeFirst();
    const newest = await db
      .selectFrom('workspace')
      .select('sequence')
      .where('id', '=', workspace)
      .executeTakeFirstOrThrow();
    const from = all?.told_through ?? 0;
    const through = Math.min(from + events, newest.sequence);
    const { rows } = await sql<{ run_id: string; first: number; last: number; last_at: number }>`
      select event.run_id, min(event.sequence) as first, max(event.sequence) as last, max(event.at) as last_at
      from event left join memory_run told
        on told.workspace_id = event.workspace_id and told.run_id = event.run_id
      where event.workspace_id = ${workspace} and event.sequence > ${from} and event.sequence <= ${through}
        and event.principal_id <> 'system' and event.kind not like 'memory%'
        and (told.told_through is null or event.sequence > told.told_through)
      group by event.run_id order by max(event.sequence)`.execute(db);
    const runs = rows.map((row) => ({
      run: row.run_id,
      from: Number(row.first),
      through: Number(row.last),
      lastAt: Number(row.last_at),
    }));
    return { through, runs };
  },

  async markTold(tx, workspace, runs) {
    for (const { run, through } of runs) await tell(tx, workspace, run, through);
  },

  async markAllTold(tx, workspace, through) {
    await tell(tx, workspace, ALL_RUNS, through);
    await writing(tx)
      .deleteFrom('memory_run')
      .where('workspace_id', '=', workspace)
      .where('run_id', '!=', ALL_RUNS)
      .where('told_through', '<=', through)
      .execute();
  },

  async oldEpisodes(scope, workspace, kinds, before, owner, limit) {
    const { rows } = await sql<Database['memory_item']>`select item.* from memory_item item
      where item.workspace_id = ${workspace} and item.tier = 'episodic' and item.kind in (${sql.join(kinds)})
        and item.trashed_at is null and item.pinned = 0 and item.observed_at < ${before} and ${ownedBy(owner)}
        and not exists (select 1 from memory_source source join memory_item derived on derived.id = source.item_id
          where source.source_id = item.id and derived.trashed_at is null)
      order by item.observed_at, item.id limit ${limit}`.execute(reading(scope));
    return toItems(scope, rows);
  },

  async recentEpisodes(scope, workspace, owner, limit) {
    const { rows } = await sql<Database['memory_item']>`select item.* from memory_item item
      where item.workspace_id = ${workspace} and item.tier = 'episodic' and item.kind = 'note'
        and item.trashed_at is null and ${ownedBy(owner)}
      order by item.observed_at desc, item.id desc limit ${limit}`.execute(reading(scope));
    return toItems(scope, rows);
  },

  async trashedBefore(scope, workspace, before, limit) {
    const { rows } = await sql<{ id: string }>`select item.id from memory_item item
      where item.workspace_id = ${workspace} and item.trashed_at < ${before}
        and (item.lifecycle = 'canonical' or not exists (select 1 from memory_source source
          join memory_item evidence on evidence.id = source.source_id
          where source.item_id = item.id and evidence.trashed_at is null))
      order by item.trashed_at, item.id limit ${limit}`.execute(reading(scope));
    return rows.map((row) => row.id as MemoryId);
  },
};

async function tell(tx: WriteTx, workspace: WorkspaceId, run: string, through: number): Promise<void> {
  await writing(tx)
    .insertInto('memory_run')
    .values({ workspace_id: workspace, run_id: run, told_through: through })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'run_id']).doUpdateSet({ told_through: through }),
    )
    .execute();
}
