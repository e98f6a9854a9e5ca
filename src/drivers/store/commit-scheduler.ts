/**
 * The one writer. Units and audit entries that arrive together share one transaction: each unit in a savepoint
 * of its own, one commit for all, and nobody is answered before it. Nobody else gets the writer's connection.
 */
import type { HeadFile } from '../../domain/governance/audit-heads.ts';
import type { TrailNote } from '../../domain/governance/audit-log.ts';
import type { AuditEntry } from '../../domain/governance/audit-record.ts';
import type { Clock } from '../../kernel/clock.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { faultFields, type Log } from '../../kernel/log.ts';
import type { UnitOptions, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import { appendEntries } from './append-entries.ts';
import type { AuditWriter, PendingEntry } from './audit-writer.ts';
import { asWriteTx, SqlWriteTx, type UnitConnection, writing } from './scopes.ts';
import { TurnWatch } from './turn-watch.ts';

/** How one database does it. */
export interface CommitEngine extends UnitConnection {
  begin(): Promise<void>;
  /** Makes units of one key wait for each other, also across processes. */
  lock(key: string): Promise<void>;
  commit(): Promise<void>;
  /** Never throws; if the connection is beyond saving, the next `begin` makes another or says why not. */
  rollback(): Promise<void>;
  /** True when nothing but the unit's own statements can make it wait. */
  readonly waitsForNothing: boolean;
}

interface PendingUnit {
  readonly options: UnitOptions;
  readonly work: (tx: WriteTx) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface PendingAppend extends PendingEntry {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface DoneUnit {
  readonly unit: PendingUnit;
  readonly value: unknown;
  readonly tx: SqlWriteTx;
}

const MAX_ATTEMPTS = 5;
/** More than this waiting means that the store cannot keep up; the rest is refused rather than piled up. */
const MAX_WAITING = 10_000;
/** At most this many turns of the loop are waited for company. */
const MAX_TURNS = 8;
/** How long after a failed commit the next call may try whether it works again. */
const PROBE_AFTER_MS = 250;

export class CommitScheduler {
  readonly #engine: CommitEngine;
  readonly #audit: AuditWriter;
  readonly #heads: HeadFile;
  readonly #clock: Clock;
  readonly #log: Log;
  /** Set when the running unit's own record was refused: a commit in doubt may have happened after all. */
  #recordFailed = false;
  #units: PendingUnit[] = [];
  #appends: PendingAppend[] = [];
  #running: Promise<void> | undefined;
  #failedAt: number | undefined;
  #closed = false;

  constructor(engine: CommitEngine, audit: AuditWriter, heads: HeadFile, clock: Clock, log: Log) {
    this.#engine = engine;
    this.#audit = audit;
    this.#heads = heads;
    this.#clock = clock;
    this.#log = log;
  }

  /** Throws while the store cannot be written; now and then lets one through to find out. */
  reserve(): void {
    if (this.#closed) throw unavailable('The store is closed');
    if (this.#waiting >= MAX_WAITING) throw unavailable('The store cannot keep up');
    if (this.#failedAt === undefined) return;
    if (this.#clock.now() - this.#failedAt < PROBE_AFTER_MS) throw unavailable('The store cannot be written');
    this.#failedAt = this.#clock.now();
  }

  write<T>(options: UnitOptions, work: (tx: WriteTx) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(unavailable('The store is closed'));
    return new Promise<T>((resolve, reject) => {
      this.#units.push({ options, work, resolve: resolve as (value: unknown) => void, reject });
      this.#start();
    });
  }

  append(entry: AuditEntry, trail?: TrailNote): Promise<void> {
    if (this.#closed) return Promise.reject(unavailable('The store is closed'));
    return new Promise((resolve, reject) => {
      this.#appends.push({ entry, trail, resolve, reject });
      this.#start();
    });
  }

  /** Into the running unit's own savepoint. */
  async appendWith(tx: WriteTx, entry: AuditEntry, trail?: TrailNote): Promise<void> {
    if (writing(tx) !== this.#engine.db)
      throw new SluiceError('internal', 'A record was given to another store');
    try {
      await this.#audit.append([{ entry, trail }]);
    } catch (error) {
      this.#recordFailed = true;
      throw error;
    }
  }

  /** Finishes what was accepted and accepts nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  #start(): void {
    this.#running ??= new Promise((resolve) => {
      setImmediate(async () => {
        while (this.#waiting > 0) {
          await this.#gather();
          await this.#runBatch();
        }
        this.#running = undefined;
        resolve();
      });
    });
  }

  /** Whatever else is just arriving shares the commit: it waits as long as a turn of the loop brings more. */
  async #gather(): Promise<void> {
    for (let turn = 0, known = 0; turn < MAX_TURNS && this.#waiting > known; turn += 1) {
      known = this.#waiting;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  get #waiting(): number {
    return this.#units.length + this.#appends.length;
  }

  async #runBatch(): Promise<void> {
    const units = this.#takeUnits();
    const appends: PendingAppend[] = [];
    for (let attempt = 1; ; attempt += 1) {
      const head = this.#audit.head;
      try {
        const done = await this.#tryBatch(units, appends);
        if (this.#keepHead() && appends.length + done.length > 0) this.#failedAt = undefined;
        await this.#answer(done, appends);
        return;
      } catch (error) {
        await this.#engine.rollback();
        this.#audit.reset(head);
        if (attempt < MAX_ATTEMPTS && this.#engine.isPassing(error)) continue;
        // A batch that could not even begin has taken none; what waits would only wait for the same failure.
        appends.push(...this.#appends.splice(0));
        this.#fail(units, appends, error);
        return;
      }
    }
  }

  /** What is committed stays so; without its head kept, nothing more is accepted. */
  #keepHead(): boolean {
    try {
      this.#heads.keep(this.#audit.head, this.#clock.now());
      return true;
    } catch (error) {
      this.#failedAt = this.#clock.now();
      this.#log.error('audit_head_not_kept', faultFields(error));
      return false;
    }
  }

  /** Units that must wait for each other share a batch; the first one waiting says which. */
  #takeUnits(): PendingUnit[] {
    const key = keyOf(this.#units[0]);
    const taken = this.#units.filter((unit) => keyOf(unit) === key);
    this.#units = this.#units.filter((unit) => keyOf(unit) !== key);
    return taken;
  }

  async #tryBatch(units: PendingUnit[], appends: PendingAppend[]): Promise<DoneUnit[]> {
    const done: DoneUnit[] = [];
    await this.#engine.begin();
    if (this.#audit.inDoubt) await this.#audit.recover();
    if (units.length > 0) await this.#engine.lock(keyOf(units[0]));
    for (const unit of [...units]) {
      const result = await this.#runUnit(unit);
      if (result) done.push(result);
      else units.splice(units.indexOf(unit), 1);
    }
    // Refusals of units in this batch are recorded in it as well, if they arrived by now.
    appends.push(...this.#appends.splice(0));
    if (appends.length > 0) await this.#appendAll(appends);
    // Whether a commit that fails happened after all is only known once the store answers again.
    this.#audit.doubt();
    await this.#engine.commit();
    this.#audit.settle();
    return done;
  }

  async #appendAll(appends: PendingAppend[]): Promise<void> {
    const use = { engine: this.#engine, audit: this.#audit };
    for (const { entry: append, error } of await appendEntries(use, appends)) {
      appends.splice(appends.indexOf(append), 1);
      this.#log.error('record_refused', faultFields(error));
      append.reject(unavailable('The record of the call could not be kept', error));
    }
  }

  /** Undefined when the unit failed by itself: it is rolled back alone and its caller told. */
  async #runUnit(unit: PendingUnit): Promise<DoneUnit | undefined> {
    const { signal } = unit.options;
    if (signal?.aborted) {
      unit.reject(signal.reason);
      return undefined;
    }
    const head = this.#audit.head;
    this.#recordFailed = false;
    const turns = new TurnWatch();
    const tx = new SqlWriteTx(this.#engine, () => turns.pause(), signal);
    await this.#engine.savepoint();
    try {
      const value = await this.#watchUnit(unit, tx, turns);
      tx.end();
      await this.#engine.release();
      return { unit, value, tx };
    } catch (error) {
      tx.end();
      if (this.#engine.isPassing(error) || this.#engine.isBroken(error)) throw error;
      await this.#engine.rollbackToSavepoint();
      this.#audit.reset(head);
      if (this.#recordFailed && (await this.#audit.catchUp())) return this.#runUnit(unit);
      unit.reject(error);
      return undefined;
    }
  }

  /** A unit that waits for a timer or a socket holds up every writer; where that can be told, it is refused. */
  async #watchUnit(unit: PendingUnit, tx: SqlWriteTx, turns: TurnWatch): Promise<unknown> {
    if (!this.#engine.waitsForNothing) return unit.work(asWriteTx(tx));
    turns.begin();
    try {
      const value = await unit.work(asWriteTx(tx));
      if (turns.missed)
        throw new SluiceError('internal', 'A unit waited for something else than its transaction');
      return value;
    } finally {
      turns.end();
    }
  }

  async #answer(done: readonly DoneUnit[], appends: readonly PendingAppend[]): Promise<void> {
    for (const append of appends) append.resolve();
    for (const { unit, value, tx } of done) {
      for (const action of tx.actions) {
        try {
          await action();
        } catch (error) {
          // The unit is durable whatever happens now; who depends on the action finds out by itself.
          this.#log.error('after_commit_failed', faultFields(error));
        }
      }
      unit.resolve(value);
    }
  }

  #fail(units: readonly PendingUnit[], appends: readonly PendingAppend[], error: unknown): void {
    this.#failedAt = this.#clock.now();
    this.#log.error('commit_failed', { count: units.length + appends.length, ...faultFields(error) });
    const refused = this.#audit.inDoubt
      ? new SluiceError(
          'unavailable',
          'The store failed while committing; read again before you retry',
          {},
          error,
        )
      : unavailable('The store cannot be written', error);
    for (const { reject } of [...units, ...appends]) reject(refused);
  }
}

const keyOf = (unit: PendingUnit | undefined): string => unit?.options.workspace ?? '';

function unavailable(message: string, cause?: unknown): SluiceError {
  return new SluiceError('unavailable', `${message}; nothing was changed`, {}, cause);
}
