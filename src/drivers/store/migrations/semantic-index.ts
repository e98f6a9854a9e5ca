/** Vectors of pages, how far each workspace is with them, and indexes by which searches find and browse pages. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addSemanticIndex(
  db: Kysely<Database>,
  { bigint, bytes, text, tableSuffix, tokenTables }: Dialect,
): Promise<void> {
  const statements = [
    `create table page_vector (
      page_id ${text} primary key references page (id) on delete cascade,
      workspace_id ${text} not null references workspace (id),
      model ${text} not null,
      version ${text} not null,
      title ${text} not null,
      places ${text} not null,
      vectors ${bytes} not null,
      stamp ${bigint} not null)${tableSuffix}`,
    'create index page_vector_stamp on page_vector (workspace_id, stamp)',
    `create table semantic_progress (
      workspace_id ${text} primary key references workspace (id),
      model ${text} not null,
      sequence ${bigint} not null,
      stamp ${bigint} not null)${tableSuffix}`,
    'create index page_hit on page (number, workspace_id, trash_batch, updated_at, id)',
    // In the order in which links to a page are listed, so that the first of thousands need not wait for the last.
    'drop index page_link_target',
    'create index page_link_target on page_link (target_id, source_id, ordinal)',
    'create index page_age on page (workspace_id, updated_at desc, id) where trash_batch is null',
    ...tokenTables,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
