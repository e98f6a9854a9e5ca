/** Audit records by prepared statements: this is the one write that every call makes. */
import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { AUDIT_COLUMNS } from '../../../domain/governance/audit-record.ts';
import type { AuditStatements } from '../audit-writer.ts';
import type { Database } from '../schema.ts';
import { segmentStatements } from '../segment-statements.ts';

export function prepareAuditStatements(raw: DatabaseSync, db: Kysely<Database>): AuditStatements {
  const marks = AUDIT_COLUMNS.map(() => '?').join(', ');
  const insert = raw.prepare(`insert into audit (${AUDIT_COLUMNS.join(', ')}) values (${marks})`);
  const note = raw.prepare(
    'insert into read_trail (run_id, kind, entity_id, version, at) values (?, ?, ?, ?, ?) on conflict do nothing',
  );
  return {
    ...segmentStatements(db),
    async insertRecords(rows) {
      for (const row of rows) insert.run(...row);
    },
    async insertTrail(notes) {
      for (const { run, at, entities } of notes) {
        for (const { kind, id, version } of entities) note.run(run, kind, id, version, at);
      }
    },
  };
}
