/** What is remembered, what it was made from, and the words it is found by. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addMemory(db: Kysely<Database>, { bigint, text, tableSuffix }: Dialect): Promise<void> {
  const statements = [
    `create table memory_item (
      id ${text} primary key,
      workspace_id ${text} not null references workspace (id),
      tier ${text} not null,
      kind ${text} not null,
      scope ${text} not null,
      scope_key ${text} not null,
      owner_id ${text} not null,
      run_id ${text} not null,
      item_key ${text},
      body ${text} not null,
      facts ${text} not null,
      lifecycle ${text} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      observed_at ${bigint} not null,
      valid_from ${bigint} not null,
      valid_to ${bigint},
      ended_at ${bigint},
      superseded_by ${text},
      pinned ${bigint} not null,
      version ${bigint} not null,
      trashed_at ${bigint},
      tokens ${bigint} not null,
      bytes ${bigint} not null)${tableSuffix}`,
    'create index memory_item_tier on memory_item (workspace_id, tier, observed_at, id)',
    'create index memory_item_key on memory_item (workspace_id, item_key)',
    'create index memory_item_thread on memory_item (workspace_id, scope_key, updated_at)',
    'create index memory_item_run on memory_item (workspace_id, run_id)',
    'create index memory_item_successor on memory_item (superseded_by) where superseded_by is not null',
    'create index memory_item_trash on memory_item (workspace_id, trashed_at) where trashed_at is not null',
    `create table memory_source (
      item_id ${text} not null references memory_item (id) on delete cascade,
      ordinal ${bigint} not null,
      kind ${text} not null,
      source_id ${text} not null,
      source_version ${text} not null,
      primary key (item_id, ordinal))${tableSuffix}`,
    'create index memory_source_id on memory_source (source_id)',
    `create table memory_term (
      workspace_id ${text} not null,
      token ${text} not null,
      item_id ${text} not null references memory_item (id) on delete cascade,
      hits ${bigint} not null,
      primary key (workspace_id, token, item_id))${tableSuffix}`,
    'create index memory_term_item on memory_term (item_id)',
    `create table memory_run (
      workspace_id ${text} not null,
      run_id ${text} not null,
      told_through ${bigint} not null,
      primary key (workspace_id, run_id))${tableSuffix}`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
