/** By which rules the words of each page were indexed. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addWordAnalysis(db: Kysely<Database>, { bigint }: Dialect): Promise<void> {
  const statements = [
    // What is there already was made by the first rules, or by those for each language; nobody can tell.
    `alter table page_length add column analysis ${bigint} not null default 1`,
    'create index page_length_analysis on page_length (analysis)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
