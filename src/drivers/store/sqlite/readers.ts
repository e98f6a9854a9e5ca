/** Read-only SQLite connections: each read sees one state from its first statement on. */
import { createReaderPool, type ReadingConnection } from '../reader-pool.ts';
import { SqlReadScope } from '../scopes.ts';
import { type Connection, openConnection } from './connection.ts';

const CONNECTIONS = 4;

export function openReaders(path: string) {
  const all = Array.from({ length: CONNECTIONS }, () => openConnection(path, { readOnly: true }));
  return {
    ...createReaderPool(all.map(readingOn)),
    close() {
      for (const connection of all) connection.close();
    },
  };
}

function readingOn(connection: Connection): ReadingConnection {
  const { raw } = connection;
  const [begin, commit] = [raw.prepare('begin'), raw.prepare('commit')];
  const start = (): void => void begin.run();
  return {
    begin: () => new SqlReadScope(connection, start),
    end() {
      if (raw.isTransaction) commit.run();
    },
  };
}
