/** PostgreSQL as tests see it: one server for the run, a database of its own for each file or suite. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { findPostgres } from './postgres-broker.ts';
import { skipUnless } from './skip.ts';

export interface Database {
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty database on the server at `server`, whose user may create one. */
export async function freshDatabase(server: string): Promise<Database> {
  const name = `sluice_${randomBytes(8).toString('hex')}`;
  await onServer(server, `create database ${name} template template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `drop database if exists ${name} with (force)`) };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Called in a suite (or at the top of a file): gives it an empty database for its time. Where there is no PostgreSQL
 * its tests are skipped with the reason; its own beforeAll hooks then find `url` undefined and have to leave it be.
 */
export function useFreshDatabase(): { readonly url: string | undefined } {
  const given: { url: string | undefined } = { url: undefined };
  let missing = 'PostgreSQL was never asked for';
  let database: Database | undefined;
  beforeAll(async () => {
    const found = await findPostgres();
    if (found.url === undefined) {
      missing = found.missing;
      return;
    }
    database = await freshDatabase(found.url);
    given.url = database.url;
  });
  afterAll(() => database?.drop());
  skipUnless(
    () => database !== undefined,
    () => missing,
  );
  return given;
}
