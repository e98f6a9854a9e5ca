/** Finds audit records, newest first: looks through the youngest, and through those segments that may hold more. */
import { type Kysely, sql } from 'kysely';
import type { AuditFilter, AuditPosition } from '../../domain/governance/audit-log.ts';
import type { AuditRecord } from '../../domain/governance/audit-record.ts';
import {
  endOfSegment,
  SEGMENT_RECORDS,
  type SegmentRow,
  type TermField,
  termLine,
} from './audit-segments.ts';
import type { Database } from './schema.ts';

type Place = Pick<SegmentRow, 'writer' | 'segment' | 'to_time'>;

const PLACES_AT_ONCE = 64;

export async function searchAudit(
  db: Kysely<Database>,
  filter: AuditFilter,
  limit: number,
  before?: AuditPosition,
): Promise<readonly AuditRecord[]> {
  let found: AuditRecord[] = [];
  const look = async (writer: string, after: number, through?: number): Promise<void> => {
    const more = await matching(db, filter, before, writer, after, through).limit(limit).execute();
    if (more.length > 0) found = [...found, ...more].sort(newestFirst).slice(0, limit);
  };
  for (const writer of filter.writer === undefined ? await writersOf(db) : [filter.writer])
    await look(writer, await indexedThrough(db, writer));
  for await (const { writer, segment, to_time } of places(db, filter, before)) {
    const last = found[limit - 1];
    if (last && last.created_at > to_time) break;
    await look(writer, endOfSegment(segment) - SEGMENT_RECORDS, endOfSegment(segment));
  }
  return found;
}

/** By seeking from each to the next: there are few writers and many records. */
export async function writersOf(db: Kysely<Database>): Promise<readonly string[]> {
  const writers: string[] = [];
  for (;;) {
    const next = await db
      .selectFrom('audit')
      .select('writer')
      .where('writer', '>', writers.at(-1) ?? '')
      .orderBy('writer')
      .limit(1)
      .executeTakeFirst();
    if (!next) return writers;
    writers.push(next.writer);
  }
}

/** The last sequence of a writer that is in a segment; 0 when none is. */
export async function indexedThrough(db: Kysely<Database>, writer: string): Promise<number> {
  const last = await db
    .selectFrom('audit_segment')
    .select('segment')
    .where('writer', '=', writer)
    .orderBy('segment', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? endOfSegment(last.segment) : 0;
}

/** The one judge of what fits; segments only say where it is worth to look. */
function matching(
  db: Kysely<Database>,
  { since, until, writer: _, ...equal }: AuditFilter,
  before: AuditPosition | undefined,
  writer: string,
  after: number,
  through: number | undefined,
) {
  let query = db.selectFrom('audit').selectAll().where('writer', '=', writer).where('sequence', '>', after);
  if (through !== undefined) query = query.where('sequence', '<=', through);
  for (const [field, value] of given(equal)) query = query.where(field, '=', value);
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
  return query.orderBy('created_at', 'desc').orderBy('writer', 'desc').orderBy('sequence', 'desc');
}

const given = (equal: Omit<AuditFilter, 'since' | 'until' | 'writer'>) =>
  Object.entries(equal).filter(([, value]) => value !== undefined) as [TermField | 'call_id', string][];

/** The segments that may hold what is asked for, the youngest first. */
async function* places(
  db: Kysely<Database>,
  { since, until, writer, ...equal }: AuditFilter,
  before: AuditPosition | undefined,
): AsyncGenerator<Place> {
  let all = db.selectFrom('audit_segment').select(['writer', 'segment', 'to_time']);
  if (writer !== undefined) all = all.where('writer', '=', writer);
  if (since !== undefined) all = all.where('to_time', '>=', since);
  if (until !== undefined) all = all.where('from_time', '<', until);
  if (before) all = all.where('from_time', '<=', before.created_at);
  for (const [field, value] of given(equal)) {
    all =
      field === 'call_id'
        ? all.where('from_call', '<=', value).where('to_call', '>=', value)
        : all.where(sql<boolean>`terms like ${`%${escaped(termLine(field, value))}%`} escape '\\'`);
  }
  for (let last: Place | undefined; ; ) {
    let page = all;
    if (last) {
      const { to_time, writer: by, segment } = last;
      page = page.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('to_time', 'writer', 'segment'), '<', tuple(to_time, by, segment)),
      );
    }
    const rows = await page
      .orderBy('to_time', 'desc')
      .orderBy('writer', 'desc')
      .orderBy('segment', 'desc')
      .limit(PLACES_AT_ONCE)
      .execute();
    yield* rows;
    last = rows.at(-1);
    if (rows.length < PLACES_AT_ONCE) return;
  }
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const newestFirst = (a: AuditRecord, b: AuditRecord): number =>
  b.created_at - a.created_at ||
  (a.writer === b.writer ? b.sequence - a.sequence : a.writer < b.writer ? 1 : -1);
