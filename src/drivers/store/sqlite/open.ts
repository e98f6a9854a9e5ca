/** Opens the embedded store: one file, one writer, a few readers. */
import { chmodSync } from 'node:fs';
import { backup } from 'node:sqlite';
import { AuditWriter } from '../audit-writer.ts';
import { CommitScheduler } from '../commit-scheduler.ts';
import { sqliteDialect } from '../dialect.ts';
import { migrate } from '../migrate.ts';
import { sqlStores } from '../sql-stores.ts';
import type { Store, StoreMeans } from '../store.ts';
import { prepareAuditStatements } from './audit-statements.ts';
import { type Connection, openConnection } from './connection.ts';
import { createSqliteEngine } from './engine.ts';
import { openReaders } from './readers.ts';
import { sqliteSearchIndex } from './search-index.ts';

export async function openSqliteStore(path: string, use: StoreMeans): Promise<Store> {
  const writer = openConnection(path, { readOnly: false });
  try {
    return await openOn(writer, path, use);
  } catch (error) {
    writer.close();
    throw error;
  }
}

async function openOn(writer: Connection, path: string, use: StoreMeans): Promise<Store> {
  chmodSync(path, 0o600);
  await migrateWhole(writer);
  const audit = await AuditWriter.open(prepareAuditStatements(writer.raw, writer.db), use.writer);
  const scheduler = new CommitScheduler(createSqliteEngine(writer), audit, use.heads, use.clock, use.log);
  const readers = openReaders(path);
  return {
    kind: 'sqlite',
    shared: false,
    ...sqlStores,
    search: sqliteSearchIndex,
    units: {
      read: (work) => readers.read(work),
      write: (options, unit) => scheduler.write(options, unit),
    },
    audit: {
      reserve: () => scheduler.reserve(),
      append: (entry, trail) => scheduler.append(entry, trail),
      appendWith: (tx, entry, trail) => scheduler.appendWith(tx, entry, trail),
    },
    async backup(target) {
      await backup(writer.raw, target);
      chmodSync(target, 0o600);
    },
    async close() {
      await scheduler.close();
      readers.close();
      writer.raw.exec('pragma wal_checkpoint(truncate)');
      writer.close();
    },
  };
}

/** Kysely takes SQLite for unable to change a schema in a transaction; a crash would then leave half of one. */
async function migrateWhole({ raw, db }: Connection): Promise<void> {
  raw.exec('begin immediate');
  try {
    await migrate(db, sqliteDialect);
    raw.exec('commit');
  } catch (error) {
    if (raw.isTransaction) raw.exec('rollback');
    throw error;
  }
}
