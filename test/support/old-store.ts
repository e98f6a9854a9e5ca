/** A database as an earlier release left it: the schema up to some change, and what is put into it with that. */
import type { Kysely } from 'kysely';
import { homeLayout } from '../../src/drivers/home/home-layout.ts';
import { postgresDialect, sqliteDialect } from '../../src/drivers/store/dialect.ts';
import { migrate, type SchemaChange } from '../../src/drivers/store/migrate.ts';
import { createSession } from '../../src/drivers/store/postgres/session.ts';
import type { Database } from '../../src/drivers/store/schema.ts';
import { openConnection } from '../../src/drivers/store/sqlite/connection.ts';
import type { StoreUnderTest } from './each-store.ts';

export async function makeOldStore(
  own: StoreUnderTest,
  folder: string,
  changes: readonly SchemaChange[],
  fill: (db: Kysely<Database>) => Promise<unknown>,
): Promise<void> {
  if (own.kind === 'sqlite') {
    const connection = openConnection(homeLayout(folder).database, { readOnly: false });
    await migrate(connection.db, sqliteDialect, changes);
    await fill(connection.db);
    connection.close();
    return;
  }
  const session = createSession(own.config()['store.url'] ?? '');
  await session.ready();
  await migrate(session.db, postgresDialect, changes);
  await fill(session.db);
  await session.drop();
}
