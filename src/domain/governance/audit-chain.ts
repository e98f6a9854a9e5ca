/** The hash chain: each record carries the hash of the one before it, so that none can be changed or left out. */
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { AUDIT_FIELDS, type AuditEntry, type AuditRecord } from './audit-record.ts';

export interface ChainHead {
  readonly writer: string;
  readonly sequence: number;
  readonly hash: string;
}

/** Where a chain begins. */
export const startOfChain = (writer: string): ChainHead => ({ writer, sequence: 0, hash: '0'.repeat(64) });

export function sealEntry(head: ChainHead, entry: AuditEntry): AuditRecord {
  const unsealed = { ...entry, writer: head.writer, sequence: head.sequence + 1, previous_hash: head.hash };
  return { ...unsealed, hash: hashRecord(unsealed) };
}

/** Over the previous hash and the values of all fields in their fixed order, as one JSON array. */
export function hashRecord(record: Omit<AuditRecord, 'hash'>): string {
  const values = AUDIT_FIELDS.map((field) => record[field]);
  return sha256Hex(`${record.previous_hash}\n${JSON.stringify(values)}`);
}

export const headOf = (record: AuditRecord): ChainHead => ({
  writer: record.writer,
  sequence: record.sequence,
  hash: record.hash,
});
