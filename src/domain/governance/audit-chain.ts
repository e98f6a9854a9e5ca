/** The hash chain: each record carries the hash of the one before it, so that none can be changed or left out. */
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { AUDIT_FIELDS, type AuditEntry, type AuditRecord, type AuditValue } from './audit-record.ts';

export interface ChainHead {
  readonly writer: string;
  readonly sequence: number;
  readonly hash: string;
}

/** Where a chain begins. */
export const startOfChain = (writer: string): ChainHead => ({ writer, sequence: 0, hash: '0'.repeat(64) });

/** A record as it is stored: where the chain stands with it, and its values in the order of AUDIT_COLUMNS. */
export interface SealedEntry {
  readonly head: ChainHead;
  readonly row: readonly AuditValue[];
}

/** Straight from entry to row: every call is recorded, and each copy of a record on the way would show. */
export function sealEntry(head: ChainHead, entry: AuditEntry): SealedEntry {
  const row: AuditValue[] = [head.writer, head.sequence + 1];
  for (const field of ENTRY_FIELDS) row.push(entry[field]);
  let text = JSON.stringify(row);
  if (text.includes('\\u') && UNKEEPABLE.test(text)) {
    for (const [i, value] of row.entries()) if (typeof value === 'string') row[i] = keepable(value);
    text = JSON.stringify(row);
  }
  const hash = hashText(head.hash, text);
  row.push(head.hash, hash);
  return { head: { writer: head.writer, sequence: head.sequence + 1, hash }, row };
}

const ENTRY_FIELDS = AUDIT_FIELDS.filter((field) => field !== 'writer' && field !== 'sequence');

/** What JSON writes for characters that no database can keep, NUL and lone surrogates. */
const UNKEEPABLE = /\\u(?:0000|d[89a-f])/;

/** A record is kept in any case: such characters are replaced before anything is computed from them. */
const keepable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** Over the previous hash and the values of all fields in their fixed order, as one JSON array. */
export function hashRecord(record: Omit<AuditRecord, 'hash'>): string {
  return hashText(record.previous_hash, JSON.stringify(AUDIT_FIELDS.map((field) => record[field])));
}

const hashText = (previous: string, values: string): string => sha256Hex(`${previous}\n${values}`);

export const headOf = (record: AuditRecord): ChainHead => ({
  writer: record.writer,
  sequence: record.sequence,
  hash: record.hash,
});
