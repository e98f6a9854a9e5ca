/** node:sqlite as Kysely wants it, with the settings every connection of ours has. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import type { Database } from '../schema.ts';
import type { SqlConnection } from '../scopes.ts';
import { refuseNul } from '../storable-text.ts';
import { sqliteVeiling } from '../veiling.ts';

export interface Connection extends SqlConnection {
  readonly raw: DatabaseSync;
  close(): void;
}

const STATEMENTS_KEPT = 300;

export function openConnection(path: string, options: { readonly readOnly: boolean }): Connection {
  const raw = new DatabaseSync(path, {
    readOnly: options.readOnly,
    timeout: 5_000,
    enableForeignKeyConstraints: true,
  });
  raw.exec('pragma cache_size = -16000; pragma temp_store = memory;');
  if (!options.readOnly)
    raw.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000;');
  const statements = adapt(raw);
  const dialect = new SqliteDialect({ database: statements });
  const db = new Kysely<Database>({ dialect });
  return {
    raw,
    db,
    veiling: sqliteVeiling(dialect),
    rows: async (text, values) => statements.prepare(text).all(values),
    close: () => raw.close(),
  };
}

/** Kysely compiles the same text again and again; preparing it once is most of the cost. */
function adapt(raw: DatabaseSync) {
  const kept = new Map<string, ReturnType<typeof wrap>>();
  return {
    prepare(sql: string) {
      let statement = kept.get(sql);
      if (!statement) {
        statement = wrap(raw.prepare(sql));
        const oldest = kept.size >= STATEMENTS_KEPT ? kept.keys().next().value : undefined;
        if (oldest !== undefined) kept.delete(oldest);
        kept.set(sql, statement);
      }
      return statement;
    },
    close: () => undefined,
  };
}

function wrap(statement: StatementSync) {
  const checked = (parameters: readonly unknown[]): SQLInputValue[] => {
    refuseNul(parameters);
    return parameters as SQLInputValue[];
  };
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...checked(parameters)),
    run: (parameters: readonly unknown[]) => statement.run(...checked(parameters)),
    iterate: (parameters: readonly unknown[]) => statement.iterate(...checked(parameters)),
  };
}
