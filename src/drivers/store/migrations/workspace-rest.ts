/** Since when blobs are idle. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addIdleBlobs(
  db: Kysely<Database>,
  { bigint, text, tableSuffix }: Dialect,
): Promise<void> {
  await sql
    .raw(`create table idle_blob (digest ${text} primary key, since ${bigint} not null)${tableSuffix}`)
    .execute(db);
}
