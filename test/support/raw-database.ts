/** The database of a home behind Sluice's back: to look at every table, and to do to it what an intruder would. */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Config } from '../../src/config/keys.ts';
import { homeLayout } from '../../src/drivers/home/home-layout.ts';

export type Row = Record<string, unknown>;

export interface RawDatabase {
  readonly kind: 'sqlite' | 'postgres';
  all<T = Row>(statement: string): Promise<T[]>;
  run(statement: string): Promise<void>;
  close(): Promise<void>;
}

export async function openRawDatabase(home: string, config: Partial<Config>): Promise<RawDatabase> {
  const url = config['store.url'];
  return config['store.kind'] === 'postgres' && url ? openPostgres(url) : openSqlite(home);
}

function openSqlite(home: string): RawDatabase {
  const file = new DatabaseSync(homeLayout(home).database, { timeout: 5_000 });
  return {
    kind: 'sqlite',
    all: async <T>(statement: string) =>
      file
        .prepare(statement)
        .all()
        .map((row) => ({ ...row })) as T[],
    run: async (statement) => file.exec(statement),
    close: async () => file.close(),
  };
}

async function openPostgres(url: string): Promise<RawDatabase> {
  const INT8 = 20;
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
  };
  const client = new pg.Client({ connectionString: url, types });
  // Tests end connections on purpose; a statement on this one then fails by itself.
  client.on('error', () => undefined);
  await client.connect();
  return {
    kind: 'postgres',
    all: async <T>(statement: string) => (await client.query(statement)).rows as T[],
    run: async (statement) => void (await client.query(statement)),
    close: () => client.end(),
  };
}

export async function withRawDatabase<T>(
  home: string,
  config: Partial<Config>,
  work: (database: RawDatabase) => Promise<T>,
): Promise<T> {
  const database = await openRawDatabase(home, config);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
