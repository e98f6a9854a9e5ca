/** A schema that is one or more changes ahead of ours, as a later Sluice would have it. */
import { sql } from 'kysely';
import { SCHEMA_CHANGES, type SchemaChange } from '../../src/drivers/store/migrate.ts';

const later = (name: string, statements: readonly string[]): SchemaChange => ({
  name,
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});

/** Many statements, so that a kill can fall between any two. */
const TABLES = Array.from(
  { length: 150 },
  (_, i) => `create table later_${i} (id integer primary key, x text)`,
);

export const LATER: readonly SchemaChange[] = [
  ...SCHEMA_CHANGES,
  later('9001_later', [...TABLES, 'alter table page add column later text']),
];

/** Fails at its very end. */
export const FAILING: readonly SchemaChange[] = [
  ...SCHEMA_CHANGES,
  later('9001_later', [...TABLES, 'alter table no_such_table add column later text']),
];

/** So many upgrades that only the newest backups stay. */
export const upTo = (count: number): readonly SchemaChange[] => [
  ...SCHEMA_CHANGES,
  ...Array.from({ length: count }, (_, i) =>
    later(`900${i + 1}_step`, [`create table step_${i + 1} (id integer primary key)`]),
  ),
];
