/** Audit records in one statement a batch: a round trip costs more than the rows in it. */
import { AUDIT_COLUMNS } from '../../../domain/governance/audit-record.ts';
import type { AuditStatements } from '../audit-writer.ts';
import { segmentStatements } from '../segment-statements.ts';
import type { Session } from './session.ts';

const ROWS = 200;

export function prepareAuditStatements(session: Session): AuditStatements {
  return {
    ...segmentStatements(session.db),
    async insertRecords(rows) {
      for (let i = 0; i < rows.length; i += ROWS) {
        const piece = rows.slice(i, i + ROWS);
        await session.run(
          `insert into audit (${AUDIT_COLUMNS.join(', ')}) values ${marks(piece.length, AUDIT_COLUMNS.length)}`,
          piece.flat(),
        );
      }
    },
    async insertTrail(notes) {
      const rows = notes.flatMap(({ run, at, entities }) =>
        entities.map(({ kind, id, version }) => [run, kind, id, version, at]),
      );
      for (let i = 0; i < rows.length; i += ROWS) {
        const piece = rows.slice(i, i + ROWS);
        await session.run(
          `insert into read_trail (run_id, kind, entity_id, version, at) values ${marks(piece.length, 5)} on conflict do nothing`,
          piece.flat(),
        );
      }
    },
  };
}

function marks(rows: number, columns: number): string {
  const row = (r: number): string =>
    `(${Array.from({ length: columns }, (_, c) => `$${r * columns + c + 1}`).join(', ')})`;
  return Array.from({ length: rows }, (_, r) => row(r)).join(', ');
}
