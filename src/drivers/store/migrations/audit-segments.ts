/** Finds audit records through segments instead of eight indexes, each of which every call had to bring up to date. */
import { type Kysely, sql } from 'kysely';
import { writersOf } from '../audit-search.ts';
import { endOfSegment, SEGMENT_RECORDS, segmentOf, summarise } from '../audit-segments.ts';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

const REPLACED = ['time', 'call', 'tool', 'subject', 'run', 'error', 'task', 'project'];

export async function addAuditSegments(
  db: Kysely<Database>,
  { bigint, text, tableSuffix }: Dialect,
): Promise<void> {
  const statements = [
    `create table audit_segment (
      writer ${text} not null,
      segment ${bigint} not null,
      from_time ${bigint} not null,
      to_time ${bigint} not null,
      from_call ${text} not null,
      to_call ${text} not null,
      terms ${text} not null,
      primary key (writer, segment))${tableSuffix}`,
    'create index audit_segment_time on audit_segment (to_time, writer, segment)',
    ...REPLACED.map((name) => `drop index if exists audit_${name}`),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  for (const writer of await writersOf(db)) await summariseChain(db, writer);
}

/** The records stay as they are; every segment that is whole gets its row. */
async function summariseChain(db: Kysely<Database>, writer: string): Promise<void> {
  const ofWriter = () => db.selectFrom('audit').where('writer', '=', writer);
  const last = await ofWriter().select('sequence').orderBy('sequence', 'desc').limit(1).executeTakeFirst();
  const first = await ofWriter().select('sequence').orderBy('sequence').limit(1).executeTakeFirst();
  if (!first || !last) return;
  for (let segment = segmentOf(first.sequence); endOfSegment(segment) <= last.sequence; segment += 1) {
    const records = await ofWriter()
      .selectAll()
      .where('sequence', '>', endOfSegment(segment) - SEGMENT_RECORDS)
      .where('sequence', '<=', endOfSegment(segment))
      .execute();
    if (records.length === 0) continue;
    await db.insertInto('audit_segment').values(summarise(records).row(writer, segment)).execute();
  }
}
