/** Hands out a fixed number of reading connections, one read at a time each, in the order in which they were asked for. */
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { asReadScope, type SqlReadScope } from './scopes.ts';

/** One connection's way to begin and end a read. */
export interface ReadingConnection {
  begin(): SqlReadScope | Promise<SqlReadScope>;
  end(): void | Promise<void>;
}

export function createReaderPool(connections: readonly ReadingConnection[]) {
  const free = [...connections];
  const waiting: ((connection: ReadingConnection) => void)[] = [];

  const release = (connection: ReadingConnection): void => {
    const next = waiting.shift();
    if (next) next(connection);
    else free.push(connection);
  };

  return {
    async read<T>(work: (scope: ReadScope) => Promise<T>): Promise<T> {
      const connection =
        free.pop() ?? (await new Promise<ReadingConnection>((resolve) => waiting.push(resolve)));
      try {
        // At once where it can be: a turn of the queue costs more than beginning does.
        const begun = connection.begin();
        const scope = begun instanceof Promise ? await begun : begun;
        try {
          return await work(asReadScope(scope));
        } finally {
          scope.end();
          const ended = connection.end();
          if (ended) await ended;
        }
      } finally {
        release(connection);
      }
    },
  };
}
