/** Brings a database to the newest schema. Migrations are listed here, in order, and never changed once released. */
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { SluiceError } from '../../kernel/errors.ts';
import type { Dialect } from './dialect.ts';
import { addFiles } from './migrations/files.ts';
import { createInitialSchema } from './migrations/initial.ts';
import type { Database } from './schema.ts';

export async function migrate(db: Kysely<Database>, dialect: Dialect): Promise<void> {
  const migrations: Record<string, Migration> = {
    '0001_initial': { up: (at: Kysely<Database>) => createInitialSchema(at, dialect) },
    '0002_files': { up: (at: Kysely<Database>) => addFiles(at, dialect) },
  };
  await refuseNewer(db, new Set(Object.keys(migrations)));
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  throw new SluiceError(
    'unavailable',
    'The database could not be brought to the schema of this Sluice',
    {},
    error,
  );
}

/** Whoever does not know a schema must not write to it. */
async function refuseNewer(db: Kysely<Database>, known: ReadonlySet<string>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === DEFAULT_MIGRATION_TABLE)) return;
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  const unknown = rows.find(({ name }) => !known.has(name));
  if (!unknown) return;
  throw new SluiceError(
    'unavailable',
    `The database was written by a newer Sluice (it has the schema "${unknown.name}"); open it with that one or a later one`,
  );
}
