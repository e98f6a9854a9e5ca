/** What a client's token is offered of the catalogue, and answers of providers that are too long to be given whole. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addOffersAndAnswers(
  db: Kysely<Database>,
  { bigint, text, tableSuffix }: Dialect,
): Promise<void> {
  const statements = [
    `alter table credential add column offer ${text}`,
    `create table kept_answer (
      id ${text} primary key,
      principal_id ${text} not null,
      provider_id ${text} not null,
      tool ${text} not null,
      parts ${text} not null,
      bytes ${bigint} not null,
      created_at ${bigint} not null)${tableSuffix}`,
    'create index kept_answer_age on kept_answer (created_at)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
