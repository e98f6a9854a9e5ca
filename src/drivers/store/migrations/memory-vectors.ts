/** What memories mean, as vectors: derived data that can be made again at any time. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addMemoryVectors(
  db: Kysely<Database>,
  { bytes, text, tableSuffix }: Dialect,
): Promise<void> {
  await sql
    .raw(
      `create table memory_vector (
        item_id ${text} primary key references memory_item (id) on delete cascade,
        model ${text} not null,
        vector ${bytes} not null)${tableSuffix}`,
    )
    .execute(db);
}
