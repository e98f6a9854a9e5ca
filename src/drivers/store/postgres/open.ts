/** Opens the team store: one writing connection a process, a few for reading, shared with other gateways. */
import { SluiceError } from '../../../kernel/errors.ts';
import { AuditWriter } from '../audit-writer.ts';
import { CommitScheduler } from '../commit-scheduler.ts';
import { postgresDialect } from '../dialect.ts';
import { migrate, readSchemaState, SCHEMA_CHANGES } from '../migrate.ts';
import { createReaderPool, type ReadingConnection } from '../reader-pool.ts';
import { SqlReadScope } from '../scopes.ts';
import { sqlStores } from '../sql-stores.ts';
import type { Store, StoreMeans } from '../store.ts';
import { prepareAuditStatements } from './audit-statements.ts';
import { createPostgresEngine } from './engine.ts';
import { postgresSearchIndex } from './search-index.ts';
import { createSession, type Session } from './session.ts';

const READERS = 8;

export async function openPostgresStore(url: string, use: StoreMeans): Promise<Store> {
  const writer = createSession(url);
  try {
    await writer.ready();
  } catch (error) {
    throw new SluiceError('unavailable', 'The PostgreSQL server of this home does not answer', {}, error);
  }
  try {
    return await openOn(writer, url, use);
  } catch (error) {
    await writer.drop();
    throw error;
  }
}

async function openOn(writer: Session, url: string, use: StoreMeans): Promise<Store> {
  await upgrade(writer, use);
  const audit = await AuditWriter.open(prepareAuditStatements(writer), use.writer);
  const scheduler = new CommitScheduler(createPostgresEngine(writer), audit, use.heads, use.clock, use.log);
  const sessions = Array.from({ length: READERS }, () => createSession(url));
  const readers = createReaderPool(sessions.map(readingOn));
  return {
    kind: 'postgres',
    shared: true,
    ...sqlStores,
    search: postgresSearchIndex,
    units: {
      read: (work) => readers.read(work),
      write: (options, unit) => scheduler.write(options, unit),
    },
    audit: {
      reserve: () => scheduler.reserve(),
      append: (entry, trail) => scheduler.append(entry, trail),
      appendWith: (tx, entry, trail) => scheduler.appendWith(tx, entry, trail),
    },
    async backup() {
      throw new SluiceError(
        'unavailable',
        'A home on PostgreSQL is backed up with the database: use pg_dump',
      );
    },
    async close() {
      await scheduler.close();
      await Promise.all([writer, ...sessions].map((session) => session.drop()));
    },
  };
}

/** In one transaction, behind a lock that other gateways wait for: they find it done. */
async function upgrade({ db }: Session, use: StoreMeans): Promise<void> {
  const changes = use.schema ?? SCHEMA_CHANGES;
  const { fresh, pending } = await readSchemaState(db, changes);
  if (pending.length === 0) return;
  await migrate(db, postgresDialect, changes);
  if (!fresh) use.log.warn('schema_upgraded', { reason: pending.join(', ') });
}

function readingOn(session: Session): ReadingConnection {
  return {
    async begin() {
      try {
        await session.ready();
        await session.run('begin isolation level repeatable read read only');
      } catch (error) {
        await session.drop();
        throw new SluiceError('unavailable', 'The PostgreSQL server of this home does not answer', {}, error);
      }
      return new SqlReadScope(session, () => undefined);
    },
    async end() {
      try {
        await session.run('commit');
      } catch {
        // The read is over and has its answer or its error; a broken connection is only replaced.
        await session.drop();
      }
    },
  };
}
