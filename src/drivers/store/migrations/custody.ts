/** Credentials for providers: what is kept of each is sealed with the home's key. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addCustody(
  db: Kysely<Database>,
  { bigint, text, tableSuffix }: Dialect,
): Promise<void> {
  const statements = [
    `create table credential_slot (
      ref ${text} not null,
      user_name ${text} not null,
      kind ${text} not null,
      sealed ${text} not null,
      facts ${text},
      created_at ${bigint} not null,
      updated_at ${bigint} not null,
      primary key (ref, user_name))${tableSuffix}`,
    `create table credential_slot_version (version ${bigint} not null)${tableSuffix}`,
    'insert into credential_slot_version (version) values (0)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
