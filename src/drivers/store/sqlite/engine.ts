/** How SQLite commits: synchronously, on one connection, with full durability. */
import type { CommitEngine } from '../commit-scheduler.ts';
import type { Connection } from './connection.ts';

/** Result codes that mean the file or the disk, not the statement: readonly, io, corrupt, full, cannot open, not a database. */
const BROKEN = new Set([8, 10, 11, 13, 14, 26]);

export function createSqliteEngine({ raw, db, rows, veiling }: Connection): CommitEngine {
  const statements = {
    begin: raw.prepare('begin immediate'),
    savepoint: raw.prepare('savepoint unit'),
    release: raw.prepare('release unit'),
    back: raw.prepare('rollback to unit'),
    commit: raw.prepare('commit'),
  };
  return {
    db,
    rows,
    veiling,
    waitsForNothing: true,
    async begin() {
      statements.begin.run();
    },
    // One writer, and one process to a home: the transaction itself is the lock.
    async lock() {
      // Nothing to take.
    },
    async savepoint() {
      statements.savepoint.run();
    },
    async release() {
      statements.release.run();
    },
    async rollbackToSavepoint() {
      statements.back.run();
      statements.release.run();
    },
    async commit() {
      statements.commit.run();
    },
    async rollback() {
      // A full disk makes SQLite roll back by itself.
      if (raw.isTransaction) raw.exec('rollback');
    },
    isPassing: () => false,
    isBroken: (error) => BROKEN.has(resultCode(error) & 0xff),
  };
}

function resultCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : 0;
}
