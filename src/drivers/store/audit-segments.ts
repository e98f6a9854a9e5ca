/**
 * The index of the audit log. Records are found through segments: for every 256 records of a chain one row says which
 * times and which values are among them. It is written with the last of them, in the same transaction; what is younger
 * than that is few enough to be looked through. A row may promise more than is there, never less.
 */
import type { AuditFilter } from '../../domain/governance/audit-log.ts';
import { AUDIT_COLUMNS, type AuditRecord, type AuditValue } from '../../domain/governance/audit-record.ts';

export const SEGMENT_RECORDS = 256;

/** The segment a record is in. */
export const segmentOf = (sequence: number): number => Math.floor((sequence - 1) / SEGMENT_RECORDS);

/** The sequence that a segment ends with. */
export const endOfSegment = (segment: number): number => (segment + 1) * SEGMENT_RECORDS;

export interface SegmentRow {
  readonly writer: string;
  readonly segment: number;
  readonly from_time: number;
  readonly to_time: number;
  readonly from_call: string;
  readonly to_call: string;
  readonly terms: string;
}

export type TermField = keyof Omit<AuditFilter, 'call_id' | 'writer' | 'since' | 'until'>;

/** Ids of calls are not among them: they are made in order, so that the first and the last say as much. */
const TERM_FIELDS: readonly TermField[] = [
  'parent_call_id',
  'tool_name',
  'family',
  'kind',
  'surface',
  'server',
  'decision',
  'status',
  'error_code',
  'gate',
  'subject_type',
  'subject_id',
  'subject_name',
  'credential_id',
  'workspace_id',
  'project_id',
  'task_id',
  'job_id',
  'run_id',
  'thread_id',
];

const placeOf = (field: (typeof AUDIT_COLUMNS)[number]): number => AUDIT_COLUMNS.indexOf(field);
const TERM_PLACES = TERM_FIELDS.map(placeOf);
const [TIME, CALL] = [placeOf('created_at'), placeOf('call_id')];

/** One line of `terms`; in JSON no value has a line break of its own. */
export const termLine = (field: TermField, value: AuditValue): string =>
  `\n${field}=${JSON.stringify(value)}\n`;

/** What is known of the records of a segment so far. */
export class SegmentSummary {
  readonly #values = TERM_FIELDS.map(() => new Set<AuditValue>());
  /** Most records say what the one before them said. */
  readonly #last: (AuditValue | undefined)[] = TERM_FIELDS.map(() => undefined);
  #times: [from: number, to: number] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  #calls: [from: string, to: string] | undefined;

  /** A row in the order of AUDIT_COLUMNS. */
  add(row: readonly AuditValue[]): void {
    for (let i = 0; i < TERM_PLACES.length; i += 1) {
      const value = row[TERM_PLACES[i] as number] ?? null;
      if (value === this.#last[i]) continue;
      this.#last[i] = value;
      if (value !== null) this.#values[i]?.add(value);
    }
    const [time, call] = [Number(row[TIME]), String(row[CALL])];
    const [from, to] = this.#times;
    if (time < from || time > to) this.#times = [Math.min(from, time), Math.max(to, time)];
    if (!this.#calls) this.#calls = [call, call];
    else if (call < this.#calls[0]) this.#calls[0] = call;
    else if (call > this.#calls[1]) this.#calls[1] = call;
  }

  row(writer: string, segment: number): SegmentRow {
    const lines = TERM_FIELDS.flatMap((field, i) =>
      [...(this.#values[i] ?? [])].map((value) => termLine(field, value).slice(1)),
    );
    const [[from_time, to_time], [from_call, to_call]] = [this.#times, this.#calls ?? ['', '']];
    return { writer, segment, from_time, to_time, from_call, to_call, terms: `\n${lines.join('')}` };
  }
}

export function summarise(records: readonly AuditRecord[]): SegmentSummary {
  const summary = new SegmentSummary();
  for (const record of records) summary.add(AUDIT_COLUMNS.map((column) => record[column]));
  return summary;
}

/** Whether a list would look into the segment for this record, whichever of its fields is asked for. */
export function leadsTo(row: SegmentRow, record: AuditRecord): boolean {
  return (
    record.created_at >= row.from_time &&
    record.created_at <= row.to_time &&
    record.call_id >= row.from_call &&
    record.call_id <= row.to_call &&
    TERM_FIELDS.every((field) => record[field] === null || row.terms.includes(termLine(field, record[field])))
  );
}
