/** What is behind a read scope and a transaction: a connection, and an end after which it answers no more. */
import type { Kysely } from 'kysely';
import { SluiceError } from '../../kernel/errors.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Database } from './schema.ts';
import type { Veiling } from './veiling.ts';

/** A connection as stores use it: by building queries, or by text that was compiled before. */
export interface SqlConnection {
  readonly db: Kysely<Database>;
  /** How a caller's sight is laid over it. */
  readonly veiling: Veiling;
  rows(text: string, values: readonly unknown[]): Promise<readonly unknown[]>;
}

/** One consistent view of the store, or one unit's part of a transaction. */
export class SqlScope {
  #connection: SqlConnection | undefined;
  readonly #signal: AbortSignal | undefined;

  constructor(connection: SqlConnection, signal?: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
  }

  /** A handler that outlives its call must not touch a connection that serves somebody else by then. */
  get connection(): SqlConnection {
    if (!this.#connection) throw new SluiceError('internal', 'A store scope was used after its end');
    this.#signal?.throwIfAborted();
    return this.#connection;
  }

  /** For reading; what a caller may not see is not there. */
  get seen(): SqlConnection {
    return this.connection;
  }

  /** Pages that stand at the root for who looks, although they lie below others. */
  get lifted(): readonly string[] {
    return [];
  }

  end(): void {
    this.#connection = undefined;
  }
}

export class SqlReadScope extends SqlScope {
  readonly #begin: () => void;
  #begun = false;

  /** `begin` runs before the first statement, so that a call that reads nothing costs nothing. */
  constructor(connection: SqlConnection, begin: () => void) {
    super(connection);
    this.#begin = begin;
  }

  override get connection(): SqlConnection {
    const connection = super.connection;
    if (!this.#begun) {
      this.#begun = true;
      this.#begin();
    }
    return connection;
  }
}

/** Longer than this without a turn, and others would notice. */
const BREATH_MS = 5;

/** What a unit needs of the connection it runs on besides statements. */
export interface UnitConnection extends SqlConnection {
  savepoint(): Promise<void>;
  release(): Promise<void>;
  rollbackToSavepoint(): Promise<void>;
  /** The whole transaction may be tried again: a deadlock or a serialisation failure. */
  isPassing(error: unknown): boolean;
  /** The store itself does not work: a full disk, a lost connection. */
  isBroken(error: unknown): boolean;
}

export class SqlWriteTx extends SqlScope {
  readonly #actions: (() => void | Promise<void>)[] = [];
  readonly #unit: UnitConnection;
  readonly #pause: () => Promise<void>;
  #since = performance.now();

  /** `pause` lets the event loop turn once. */
  constructor(connection: UnitConnection, pause: () => Promise<void>, signal?: AbortSignal) {
    super(connection, signal);
    this.#unit = connection;
    this.#pause = pause;
  }

  get unit(): UnitConnection {
    return this.#unit;
  }

  /** A savepoint inside of the unit's own. What the store itself fails at is the whole batch's affair. */
  async attempt<T>(part: () => Promise<T>): Promise<T> {
    const actions = this.#actions.length;
    await this.#unit.savepoint();
    try {
      const value = await part();
      await this.#unit.release();
      return value;
    } catch (error) {
      if (this.#unit.isPassing(error) || this.#unit.isBroken(error)) throw error;
      this.#actions.length = actions;
      await this.#unit.rollbackToSavepoint();
      throw error;
    }
  }

  async breathe(): Promise<void> {
    if (performance.now() - this.#since < BREATH_MS) return;
    await this.#pause();
    this.#since = performance.now();
  }

  afterCommit(action: () => void | Promise<void>): void {
    this.#actions.push(action);
  }

  get unveiled(): WriteTx {
    return asWriteTx(this);
  }

  get actions(): readonly (() => void | Promise<void>)[] {
    return this.#actions;
  }
}

/** The two casts by which the kernel's opaque handles get their inside. */
export const asReadScope = (scope: SqlReadScope): ReadScope => scope as unknown as ReadScope;
export const asWriteTx = (tx: SqlWriteTx): WriteTx => tx as unknown as WriteTx;

/** Whether something may be kept from who looks. */
export const isVeiled = (scope: ReadScope): boolean =>
  scope instanceof SqlScope && scope.seen !== scope.connection;

/** For finding out what a veil keeps from view; what it finds is not shown. */
export function behind(scope: ReadScope): Kysely<Database> {
  if (scope instanceof SqlScope) return scope.connection.db;
  throw otherStore();
}

export const liftedIn = (scope: ReadScope): readonly string[] =>
  scope instanceof SqlScope ? scope.lifted : [];

/** For reading. */
export const reading = (scope: ReadScope): Kysely<Database> => connectionOf(scope).db;

export function connectionOf(scope: ReadScope): SqlConnection {
  if (scope instanceof SqlScope) return scope.seen;
  throw otherStore();
}

const otherStore = (): SluiceError =>
  new SluiceError('internal', 'A store was given a scope of another store');

/** For writing; a read scope will not do. */
export function writing(tx: WriteTx): Kysely<Database> {
  if (tx instanceof SqlWriteTx) return tx.connection.db;
  throw new SluiceError('internal', 'A store was asked to write without a transaction');
}
