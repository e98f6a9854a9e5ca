/** Who wrote which block, and indexes for the timeline of a workspace. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addProvenance(
  db: Kysely<Database>,
  { bigint, numberColumn, text, tableSuffix }: Dialect,
): Promise<void> {
  const authorship = `written_by ${text} not null, restored_by ${bigint}, touched_by ${bigint} not null`;
  const statements = [
    `create table attribution (
      number ${numberColumn},
      key ${text} not null unique,
      principal_kind ${text} not null,
      principal_id ${text} not null,
      principal_name ${text} not null,
      run_id ${text} not null,
      tool ${text} not null,
      call_id ${text} not null,
      origin ${text} not null,
      at ${bigint} not null,
      accepted_by ${text},
      undoes ${text})${tableSuffix}`,
    `create table attribution_source (
      attribution ${bigint} not null,
      source_kind ${text} not null,
      source_id ${text} not null,
      source_version ${text} not null,
      primary key (attribution, source_id))${tableSuffix}`,
    `create table block_provenance (
      block_id ${text} primary key, page_id ${text} not null, ${authorship})${tableSuffix}`,
    `create table former_block (
      page_id ${text} not null, digest ${text} not null, ${authorship},
      primary key (page_id, digest, touched_by))${tableSuffix}`,
    'create index event_principal on event (workspace_id, principal_name, sequence)',
    'create index event_kind on event (workspace_id, kind, sequence)',
    'create index event_time on event (workspace_id, at)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
