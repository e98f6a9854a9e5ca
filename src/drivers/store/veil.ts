/** Lays a caller's sight over a scope: every statement that reads through it finds only what the caller may see. */
import { type CompiledQuery, type DatabaseConnection, type Driver, Kysely, type QueryResult } from 'kysely';
import { SluiceError } from '../../kernel/errors.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Sight } from '../../kernel/sight.ts';
import type { Database } from './schema.ts';
import { asWriteTx, type SqlConnection, SqlScope, SqlWriteTx } from './scopes.ts';
import { VEILED_TABLES } from './veiled-tables.ts';

/** The scope itself for who sees everything. */
export function veil<Scope extends ReadScope>(scope: Scope, sight: Sight): Scope {
  if (sight.hidden.length === 0) return scope;
  if (scope instanceof SqlWriteTx) return new VeiledTx(scope, sight) as unknown as Scope;
  if (scope instanceof SqlScope) return new VeiledScope(scope, sight) as unknown as Scope;
  throw new SluiceError('internal', 'A store was given a scope of another store');
}

class VeiledScope extends SqlScope {
  readonly #inner: SqlScope;
  readonly #sight: Sight;
  #veiled: SqlConnection | undefined;

  constructor(inner: SqlScope, sight: Sight) {
    super(inner.connection);
    this.#inner = inner;
    this.#sight = sight;
  }

  override get connection(): SqlConnection {
    return this.#inner.connection;
  }

  override get seen(): SqlConnection {
    // Asked each time, because the scope behind it may have ended.
    const { connection } = this.#inner;
    this.#veiled ??= veiledConnection(connection, this.#sight);
    return this.#veiled;
  }

  override get lifted(): readonly string[] {
    return this.#sight.lifted;
  }
}

class VeiledTx extends SqlWriteTx {
  readonly #inner: SqlWriteTx;
  readonly #view: VeiledScope;

  constructor(inner: SqlWriteTx, sight: Sight) {
    super(inner.unit, () => inner.breathe());
    this.#inner = inner;
    this.#view = new VeiledScope(inner, sight);
  }

  override get connection(): SqlConnection {
    return this.#inner.connection;
  }

  override get seen(): SqlConnection {
    return this.#view.seen;
  }

  override get lifted(): readonly string[] {
    return this.#view.lifted;
  }

  override get unveiled(): WriteTx {
    return asWriteTx(this.#inner);
  }

  override attempt<T>(part: () => Promise<T>): Promise<T> {
    return this.#inner.attempt(part);
  }

  override breathe(): Promise<void> {
    return this.#inner.breathe();
  }

  override afterCommit(action: () => void | Promise<void>): void {
    this.#inner.afterCommit(action);
  }
}

function veiledConnection(base: SqlConnection, sight: Sight): SqlConnection {
  const { veiling } = base;
  const hidden = JSON.stringify(sight.hidden);
  const rows = (text: string, values: readonly unknown[]): Promise<readonly unknown[]> => {
    const looking = lookThrough(base, text, values.length);
    return looking === undefined
      ? base.rows(text, values)
      : base.rows(looking, veiling.join(values, [hidden]));
  };
  const connection: DatabaseConnection = {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => ({
      rows: (await rows(sql, parameters)) as Row[],
    }),
    streamQuery: () => {
      throw new SluiceError('internal', 'Nothing is streamed through a veil');
    },
  };
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => veiling.dialect.createAdapter(),
      createQueryCompiler: () => veiling.dialect.createQueryCompiler(),
      createIntrospector: (of) => veiling.dialect.createIntrospector(of),
      createDriver: () => driverOn(connection),
    },
  });
  return { db, rows, veiling };
}

const driverOn = (connection: DatabaseConnection): Driver => ({
  init: async () => undefined,
  acquireConnection: async () => connection,
  releaseConnection: async () => undefined,
  destroy: async () => undefined,
  beginTransaction: noTransaction,
  commitTransaction: noTransaction,
  rollbackTransaction: noTransaction,
});

async function noTransaction(): Promise<void> {
  throw new SluiceError('internal', 'Nobody opens a transaction of his own');
}

/** The statement with everything before it that it speaks of and that has to be looked at through the veil. */
function lookThrough({ veiling }: SqlConnection, text: string, parameters: number): string | undefined {
  const views = Object.entries(VEILED_TABLES)
    .filter(([name]) => new RegExp(`\\b${name}\\b`).test(text))
    .map(([name, view]) => `${name} as not materialized (${view((table) => veiling.table(table), veiling)})`);
  if (views.length === 0) return undefined;
  const all = [`veil_hidden (id) as (select value from ${veiling.ids(0, parameters)})`, ...views].join(', ');
  const own = /^\s*with\s+(recursive\s+)?/i.exec(text);
  if (own) return `with ${own[1] ?? ''}${all}, ${text.slice(own[0].length)}`;
  if (/^\s*select\b/i.test(text)) return `with ${all} ${text}`;
  throw new SluiceError('internal', 'Only what reads can look through a veil');
}
