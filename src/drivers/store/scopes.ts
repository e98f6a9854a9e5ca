/** What is behind a read scope and a transaction: a connection, and an end after which it answers no more. */
import type { Kysely } from 'kysely';
import { SluiceError } from '../../kernel/errors.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Database } from './schema.ts';

/** One consistent view of the store, or one unit's part of a transaction. */
class SqlScope {
  #db: Kysely<Database> | undefined;
  readonly #signal: AbortSignal | undefined;

  constructor(db: Kysely<Database>, signal?: AbortSignal) {
    this.#db = db;
    this.#signal = signal;
  }

  /** A handler that outlives its call must not touch a connection that serves somebody else by then. */
  get db(): Kysely<Database> {
    if (!this.#db) throw new SluiceError('internal', 'A store scope was used after its end');
    this.#signal?.throwIfAborted();
    return this.#db;
  }

  end(): void {
    this.#db = undefined;
  }
}

export class SqlReadScope extends SqlScope {
  readonly #begin: () => void;
  #begun = false;

  /** `begin` runs before the first statement, so that a call that reads nothing costs nothing. */
  constructor(db: Kysely<Database>, begin: () => void) {
    super(db);
    this.#begin = begin;
  }

  override get db(): Kysely<Database> {
    const db = super.db;
    if (!this.#begun) {
      this.#begun = true;
      this.#begin();
    }
    return db;
  }
}

export class SqlWriteTx extends SqlScope {
  readonly #actions: (() => void | Promise<void>)[] = [];

  afterCommit(action: () => void | Promise<void>): void {
    this.#actions.push(action);
  }

  get actions(): readonly (() => void | Promise<void>)[] {
    return this.#actions;
  }
}

/** The two casts by which the kernel's opaque handles get their inside. */
export const asReadScope = (scope: SqlReadScope): ReadScope => scope as unknown as ReadScope;
export const asWriteTx = (tx: SqlWriteTx): WriteTx => tx as unknown as WriteTx;

/** For reading. */
export function reading(scope: ReadScope): Kysely<Database> {
  if (scope instanceof SqlScope) return scope.db;
  throw new SluiceError('internal', 'A store was given a scope of another store');
}

/** For writing; a read scope will not do. */
export function writing(tx: WriteTx): Kysely<Database> {
  if (tx instanceof SqlWriteTx) return tx.db;
  throw new SluiceError('internal', 'A store was asked to write without a transaction');
}
