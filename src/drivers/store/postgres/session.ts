/** One PostgreSQL connection that can be had again after it was lost, with a Kysely on it. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '../schema.ts';
import type { SqlConnection } from '../scopes.ts';
import { refuseNul } from '../storable-text.ts';
import { postgresVeiling } from '../veiling.ts';

const INT8 = 20;
const FLOAT8 = 701;
const NUMERIC = 1700;

/** Our integers are milliseconds, counts and sequences: all exact as JavaScript numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === FLOAT8 || oid === NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format as 'text'),
};

export interface Session extends SqlConnection {
  /** Connects if there is no working connection. */
  ready(): Promise<void>;
  run(statement: string, values?: readonly unknown[]): Promise<pg.QueryResult>;
  /** Gives the connection up; the next `ready` makes another. */
  drop(): Promise<void>;
}

export function createSession(url: string): Session {
  let client: pg.Client | undefined;
  let schema = 'public';

  const ready = async (): Promise<void> => {
    if (client) return;
    const fresh = new pg.Client({
      connectionString: url,
      types,
      application_name: 'sluice',
      connectionTimeoutMillis: 10_000,
      statement_timeout: 60_000,
      idle_in_transaction_session_timeout: 120_000,
    });
    const lost = (): void => {
      if (client === fresh) client = undefined;
    };
    fresh.on('error', lost);
    fresh.on('end', lost);
    await fresh.connect();
    schema =
      (await fresh.query<{ schema: string }>('select current_schema() as schema')).rows[0]?.schema ?? schema;
    client = fresh;
  };

  const run = async (statement: string, values: readonly unknown[] = []): Promise<pg.QueryResult> => {
    if (!client) throw Object.assign(new Error('The connection was lost'), { code: '08006' });
    refuseNul(values);
    return client.query(statement, [...values]);
  };

  // Kysely asks for a connection before each statement; it always gets the current one.
  const connection = { query: run, release: () => undefined };
  const pool = { connect: async () => connection, end: async () => undefined, options: {} };
  const dialect = new PostgresDialect({ pool: pool as never });
  return {
    db: new Kysely<Database>({ dialect }),
    veiling: postgresVeiling(dialect, () => schema),
    ready,
    run,
    rows: async (text, values) => (await run(text, values)).rows,
    async drop() {
      const old = client;
      client = undefined;
      // Ending a connection that is already gone has nothing to tell us.
      await old?.end().catch(() => undefined);
    },
  };
}
