/** Vectors of memories in SQL. */
import { sql } from 'kysely';
import type { MemoryVectors } from '../../../domain/memory/ports/memory-vectors.ts';
import type { MemoryId } from '../../../kernel/ids.ts';
import type { Database } from '../schema.ts';
import { reading, writing } from '../scopes.ts';
import { itemConditions } from './item-conditions.ts';
import { toItems } from './item-rows.ts';

export const memoryVectors: MemoryVectors = {
  async lacking(scope, workspace, model, limit) {
    const { rows } = await sql<Database['memory_item']>`select item.* from memory_item item
      where item.workspace_id = ${workspace} and item.tier <> 'working' and item.trashed_at is null
        and not exists (select 1 from memory_vector known where known.item_id = item.id and known.model = ${model})
      order by item.observed_at desc, item.id desc limit ${limit}`.execute(reading(scope));
    return toItems(scope, rows);
  },

  async put(tx, model, vectors) {
    for (const { id, vector } of vectors) {
      // It may be gone by now, and then it has no vector either.
      await sql`insert into memory_vector (item_id, model, vector)
        select id, ${model}, ${vector} from memory_item where id = ${id}
        on conflict (item_id) do update set model = excluded.model, vector = excluded.vector`.execute(
        writing(tx),
      );
    }
  },

  async ofItems(scope, workspace, model, filter, limit) {
    const { rows } = await sql<{ id: string; vector: Uint8Array }>`select item.id, known.vector
      from memory_item item join memory_vector known on known.item_id = item.id
      where ${itemConditions(workspace, filter)} and known.model = ${model}
      order by item.observed_at desc, item.id desc limit ${limit}`.execute(reading(scope));
    return rows.map((row) => ({ id: row.id as MemoryId, vector: row.vector }));
  },
};
