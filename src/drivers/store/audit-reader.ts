/** Reading the audit table back, and pruning what a checkpoint accounts for. */
import type { Kysely } from 'kysely';
import type { ChainHead } from '../../domain/governance/audit-chain.ts';
import type { AuditReader } from '../../domain/governance/audit-log.ts';
import type { AuditRecord } from '../../domain/governance/audit-record.ts';
import { indexedThrough, searchAudit, writersOf } from './audit-search.ts';
import { endOfSegment, leadsTo, segmentOf } from './audit-segments.ts';
import type { Database } from './schema.ts';
import { reading, writing } from './scopes.ts';

export const auditReader: AuditReader = {
  list: (scope, filter, limit, before) => searchAudit(reading(scope), filter, limit, before),

  async ofCall(scope, callId) {
    const found = await searchAudit(reading(scope), { call_id: callId }, MAX_OF_CALL);
    return found.toSorted((a, b) => a.sequence - b.sequence);
  },

  unfinished: (scope, writer, withinMs) => findUnfinished(reading(scope), writer, withinMs),

  writers: (scope) => writersOf(reading(scope)),

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
    await writing(tx)
      .deleteFrom('audit_segment')
      .where('writer', '=', writer)
      .where('segment', '<', segmentOf(through + 1))
      .execute();
    return Number(gone.numDeletedRows);
  },

  firstUnlisted: (scope, records) => firstUnlisted(reading(scope), records),

  async lastBefore(scope, writer, time) {
    const ofWriter = () => reading(scope).selectFrom('audit').where('writer', '=', writer);
    const young = await ofWriter()
      .select('sequence')
      .where('sequence', '>', await allBefore(reading(scope), writer, time))
      .where('created_at', '>=', time)
      .orderBy('sequence')
      .limit(1)
      .executeTakeFirst();
    let older = ofWriter().select(['writer', 'sequence', 'hash']);
    if (young) older = older.where('sequence', '<', young.sequence);
    return older.orderBy('sequence', 'desc').limit(1).executeTakeFirst();
  },
};

/** A sequence up to which all are older; looking for the first that is not begins there. */
async function allBefore(db: Kysely<Database>, writer: string, time: number): Promise<number> {
  const first = await db
    .selectFrom('audit_segment')
    .select('segment')
    .where('writer', '=', writer)
    .where('to_time', '>=', time)
    .orderBy('segment')
    .limit(1)
    .executeTakeFirst();
  return first ? endOfSegment(first.segment - 1) : indexedThrough(db, writer);
}

/** The first of a writer's records that a list would not look for, because its segment does not lead there. */
async function firstUnlisted(
  db: Kysely<Database>,
  records: readonly AuditRecord[],
): Promise<AuditRecord | undefined> {
  const [first, last] = [records[0], records.at(-1)];
  if (!first || !last) return undefined;
  const rows = await db
    .selectFrom('audit_segment')
    .selectAll()
    .where('writer', '=', first.writer)
    .where('segment', '>=', segmentOf(first.sequence))
    .where('segment', '<=', segmentOf(last.sequence))
    .execute();
  const bySegment = new Map(rows.map((row) => [row.segment, row]));
  const through = await indexedThrough(db, first.writer);
  return records.find((record) => {
    const row = bySegment.get(segmentOf(record.sequence));
    return row ? !leadsTo(row, record) : record.sequence <= through;
  });
}

/** From the last record back to the last start; a home that was killed twice has closed the rest already. */
async function findUnfinished(
  db: Kysely<Database>,
  writer: string,
  withinMs: number,
): Promise<readonly AuditRecord[]> {
  const ofWriter = () => db.selectFrom('audit').where('writer', '=', writer);
  const last = await ofWriter().select('created_at').orderBy('sequence', 'desc').limit(1).executeTakeFirst();
  if (!last) return [];
  const ended = new Set<string>();
  const open: number[] = [];
  for (let before: number | undefined; ; ) {
    let page = ofWriter().select(['sequence', 'call_id', 'phase', 'kind', 'created_at']);
    if (before !== undefined) page = page.where('sequence', '<', before);
    const rows = await page.orderBy('sequence', 'desc').limit(PAGE).execute();
    for (const { sequence, call_id, phase } of rows) {
      if (phase === 'finished') ended.add(call_id);
      if (phase === 'started' && !ended.has(call_id)) open.push(sequence);
    }
    before = rows.at(-1)?.sequence;
    const old = rows.some(
      ({ kind, created_at }) => kind === 'writer_started' || created_at < last.created_at - withinMs,
    );
    if (old || rows.length < PAGE) break;
  }
  const found = open.toSorted((a, b) => a - b).slice(0, MAX_OF_CALL);
  if (found.length === 0) return [];
  return (await ofWriter()
    .selectAll()
    .where('sequence', 'in', found)
    .orderBy('sequence')
    .execute()) as AuditRecord[];
}

const PAGE = 5_000;

/** A call has one record, or two around an effect outside; anything more is a mistake that need not be listed. */
const MAX_OF_CALL = 1_000;

export function readHead(db: Kysely<Database>, writer: string): Promise<ChainHead | undefined> {
  return db
    .selectFrom('audit')
    .select(['writer', 'sequence', 'hash'])
    .where('writer', '=', writer)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
}
