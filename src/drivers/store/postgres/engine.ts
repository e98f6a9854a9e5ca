/** How PostgreSQL commits: units lock their workspace's row first, so that several gateways take turns. */
import type { CommitEngine } from '../commit-scheduler.ts';
import type { Session } from './session.ts';

/** Serialisation failure and deadlock: the same transaction may go through the next time. */
const PASSING = new Set(['40001', '40P01']);

/** Connection trouble, lack of resources, operator intervention, damage: by class. */
const BROKEN_CLASSES = ['08', '53', '57', '58', 'XX'];

export function createPostgresEngine(session: Session): CommitEngine {
  const run = async (statement: string): Promise<void> => {
    await session.run(statement);
  };
  return {
    db: session.db,
    rows: session.rows,
    veiling: session.veiling,
    waitsForNothing: false,
    async begin() {
      await session.ready();
      await run('begin');
    },
    async lock(key) {
      if (key === '') await run('select version from governance for update');
      else await session.run('select sequence from workspace where id = $1 for update', [key]);
    },
    savepoint: () => run('savepoint unit'),
    release: () => run('release savepoint unit'),
    async rollbackToSavepoint() {
      await run('rollback to savepoint unit');
      await run('release savepoint unit');
    },
    async commit() {
      const answer = await session.run('commit');
      // A transaction that failed earlier "commits" by rolling back.
      if (answer.command !== 'COMMIT')
        throw new Error('The transaction was rolled back instead of committed');
    },
    async rollback() {
      try {
        await run('rollback');
      } catch {
        await session.drop();
      }
    },
    isPassing: (error) => PASSING.has(codeOf(error)),
    isBroken: (error) => BROKEN_CLASSES.includes(codeOf(error).slice(0, 2)) || isSocketError(error),
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const isSocketError = (error: unknown): boolean => /^E[A-Z]+$/.test(codeOf(error)) || isLost(error);

/** node-postgres has no code for a connection that ends under a statement. */
const isLost = (error: unknown): boolean =>
  error instanceof Error && /^(Connection terminated|Client has encountered)/.test(error.message);
