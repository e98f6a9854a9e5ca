/** Reading the audit table back, and pruning what a checkpoint accounts for. */
import type { Kysely } from 'kysely';
import type { ChainHead } from '../../domain/governance/audit-chain.ts';
import type { AuditFilter, AuditReader } from '../../domain/governance/audit-log.ts';
import type { AuditRecord } from '../../domain/governance/audit-record.ts';
import type { Database } from './schema.ts';
import { reading, writing } from './scopes.ts';

export const auditReader: AuditReader = {
  async list(scope, filter, limit, before) {
    const { since, until, ...equal } = filter;
    let query = reading(scope).selectFrom('audit').selectAll();
    for (const [field, value] of Object.entries(equal)) {
      if (value !== undefined)
        query = query.where(field as keyof Omit<AuditFilter, 'since' | 'until'>, '=', value);
    }
    if (since !== undefined) query = query.where('created_at', '>=', since);
    if (until !== undefined) query = query.where('created_at', '<', until);
    if (before) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('created_at', 'writer', 'sequence'),
          '<',
          tuple(before.created_at, before.writer, before.sequence),
        ),
      );
    }
    return query
      .orderBy('created_at', 'desc')
      .orderBy('writer', 'desc')
      .orderBy('sequence', 'desc')
      .limit(limit)
      .execute();
  },

  ofCall: (scope, callId) =>
    reading(scope)
      .selectFrom('audit')
      .selectAll()
      .where('call_id', '=', callId)
      .orderBy('sequence')
      .execute(),

  async writers(scope) {
    const rows = await reading(scope)
      .selectFrom('audit')
      .select('writer')
      .distinct()
      .orderBy('writer')
      .execute();
    return rows.map(({ writer }) => writer);
  },

  chain: (scope, writer, from, limit) =>
    reading(scope)
      .selectFrom('audit')
      .selectAll()
      .where('writer', '=', writer)
      .where('sequence', '>=', from)
      .orderBy('sequence')
      .limit(limit)
      .execute() as Promise<AuditRecord[]>,

  head: (scope, writer) => readHead(reading(scope), writer),

  async prune(tx, writer, through) {
    const gone = await writing(tx)
      .deleteFrom('audit')
      .where('writer', '=', writer)
      .where('sequence', '<=', through)
      .executeTakeFirst();
    return Number(gone.numDeletedRows);
  },

  async lastBefore(scope, writer, time) {
    const ofWriter = () => reading(scope).selectFrom('audit').where('writer', '=', writer);
    const young = await ofWriter()
      .select('sequence')
      .where('created_at', '>=', time)
      .orderBy('sequence')
      .limit(1)
      .executeTakeFirst();
    let older = ofWriter().select(['writer', 'sequence', 'hash']);
    if (young) older = older.where('sequence', '<', young.sequence);
    return older.orderBy('sequence', 'desc').limit(1).executeTakeFirst();
  },
};

export function readHead(db: Kysely<Database>, writer: string): Promise<ChainHead | undefined> {
  return db
    .selectFrom('audit')
    .select(['writer', 'sequence', 'hash'])
    .where('writer', '=', writer)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
}
