/** Opens the embedded store: one file, one writer, a few readers. */
import { chmodSync } from 'node:fs';
import { backup } from 'node:sqlite';
import { AuditWriter } from '../audit-writer.ts';
import { CommitScheduler } from '../commit-scheduler.ts';
import { sqliteDialect } from '../dialect.ts';
import { migrate, readSchemaState, SCHEMA_CHANGES, type SchemaChange } from '../migrate.ts';
import { sqlStores } from '../sql-stores.ts';
import type { Store, StoreMeans } from '../store.ts';
import { prepareAuditStatements } from './audit-statements.ts';
import { type Connection, openConnection } from './connection.ts';
import { createSqliteEngine } from './engine.ts';
import { openReaders } from './readers.ts';
import { sqliteSearchIndex } from './search-index.ts';

const ALL_PAGES = 2 ** 31 - 1;

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
  await upgrade(writer, path, use);
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
    backup: (target) => copyDatabase(path, target),
    async close() {
      await scheduler.close();
      readers.close();
      writer.raw.exec('pragma wal_checkpoint(truncate)');
      writer.close();
    },
  };
}

/**
 * On a connection of its own, because a copy fails beside a transaction that is under way on the same one, and all
 * pages in one step, because a copy that pauses begins again after every write: it would never end.
 */
async function copyDatabase(path: string, target: string): Promise<void> {
  const source = openConnection(path, { readOnly: true });
  try {
    await backup(source.raw, target, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  chmodSync(target, 0o600);
}

/** What is there is copied first, so that the Sluice that wrote it can go on with the copy. */
async function upgrade(writer: Connection, path: string, use: StoreMeans): Promise<void> {
  const changes = use.schema ?? SCHEMA_CHANGES;
  const { fresh, pending } = await readSchemaState(writer.db, changes);
  const [first] = pending;
  if (first === undefined) return;
  if (!fresh) await use.beforeUpgrade?.({ backup: (target) => copyDatabase(path, target) }, first);
  await migrateWhole(writer, changes);
  if (!fresh) use.log.warn('schema_upgraded', { reason: pending.join(', ') });
}

/** Kysely takes SQLite for unable to change a schema in a transaction; a crash would then leave half of one. */
async function migrateWhole({ raw, db }: Connection, changes: readonly SchemaChange[]): Promise<void> {
  raw.exec('begin immediate');
  try {
    await migrate(db, sqliteDialect, changes);
    raw.exec('commit');
  } catch (error) {
    if (raw.isTransaction) raw.exec('rollback');
    throw error;
  }
}
