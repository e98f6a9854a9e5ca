/** Upstream servers: their profiles and states, and every move between states. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addProviders(
  db: Kysely<Database>,
  { bigint, text, tableSuffix }: Dialect,
): Promise<void> {
  const statements = [
    `create table provider (
      id ${text} primary key,
      profile ${text} not null,
      state ${text} not null,
      reason_code ${text} not null,
      reason ${text} not null,
      seen ${text},
      admitted ${text},
      findings ${text} not null,
      drift ${text} not null,
      created_at ${bigint} not null,
      updated_at ${bigint} not null)${tableSuffix}`,
    `create table provider_move (
      provider_id ${text} not null,
      number ${bigint} not null,
      at ${bigint} not null,
      from_state ${text},
      to_state ${text} not null,
      reason_code ${text} not null,
      reason ${text} not null,
      actor ${text} not null,
      call_id ${text} not null,
      primary key (provider_id, number))${tableSuffix}`,
    `create table provider_version (version ${bigint} not null)${tableSuffix}`,
    'insert into provider_version (version) values (0)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
