/** The statements about segments that a writer needs, the same on both databases; they run once in 256 records. */
import type { Kysely } from 'kysely';
import { readHead } from './audit-reader.ts';
import type { AuditStatements } from './audit-writer.ts';
import type { Database } from './schema.ts';

type Common = Pick<AuditStatements, 'readHead' | 'readFrom' | 'putSegment' | 'dropSegments'>;

export const segmentStatements = (db: Kysely<Database>): Common => ({
  readHead: (writer) => readHead(db, writer),
  readFrom: (writer, sequence) =>
    db
      .selectFrom('audit')
      .selectAll()
      .where('writer', '=', writer)
      .where('sequence', '>=', sequence)
      .orderBy('sequence')
      .execute(),
  async putSegment({ writer, segment, ...facts }) {
    await db
      .insertInto('audit_segment')
      .values({ writer, segment, ...facts })
      .onConflict((clash) => clash.columns(['writer', 'segment']).doUpdateSet(facts))
      .execute();
  },
  async dropSegments(writer, from) {
    await db.deleteFrom('audit_segment').where('writer', '=', writer).where('segment', '>=', from).execute();
  },
});
