/** Brings a database to the newest schema. Migrations are listed here, in order, and never changed once released. */
import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { SluiceError } from '../../kernel/errors.ts';
import type { Dialect } from './dialect.ts';
import { createInitialSchema } from './migrations/initial.ts';
import type { Database } from './schema.ts';

export async function migrate(db: Kysely<Database>, dialect: Dialect): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => ({
        '0001_initial': { up: (at: Kysely<Database>) => createInitialSchema(at, dialect) },
      }),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  throw new SluiceError(
    'unavailable',
    'The database could not be brought to the schema of this Sluice',
    {},
    error,
  );
}
