/** Checks every chain against itself, against its signed heads and against a head that somebody kept elsewhere. */
import type { KeyObject } from 'node:crypto';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { type ChainHead, hashRecord, startOfChain } from './audit-chain.ts';
import { isGenuineHead, type SignedHead } from './audit-heads.ts';
import type { AuditReader } from './audit-log.ts';
import type { AuditRecord } from './audit-record.ts';

export interface AuditFault {
  readonly writer: string;
  readonly sequence: number;
  readonly problem: string;
}

export interface AuditVerification {
  readonly ok: boolean;
  readonly records: number;
  readonly heads: number;
  readonly chains: readonly ChainHead[];
  /** The first bad record of each chain that has one. */
  readonly faults: readonly AuditFault[];
}

const PAGE = 500;

export async function verifyAudit(
  use: { readonly reader: Pick<AuditReader, 'writers' | 'chain'>; readonly publicKey: KeyObject },
  scope: ReadScope,
  heads: readonly SignedHead[],
): Promise<AuditVerification> {
  const writers = new Set([...(await use.reader.writers(scope)), ...heads.map((head) => head.writer)]);
  const faults: AuditFault[] = [];
  const chains: ChainHead[] = [];
  let records = 0;
  for (const writer of [...writers].sort()) {
    const own = heads.filter((head) => head.writer === writer).sort((a, b) => a.sequence - b.sequence);
    const walked = await walkChain(use, scope, writer, own);
    records += walked.records;
    chains.push(walked.end);
    if (walked.fault) faults.push(walked.fault);
  }
  return { ok: faults.length === 0, records, heads: heads.length, chains, faults };
}

interface Walk {
  readonly records: number;
  readonly end: ChainHead;
  readonly fault?: AuditFault;
}

async function walkChain(
  use: { readonly reader: Pick<AuditReader, 'writers' | 'chain'>; readonly publicKey: KeyObject },
  scope: ReadScope,
  writer: string,
  heads: readonly SignedHead[],
): Promise<Walk> {
  const forged = heads.find((head) => !isGenuineHead(head, use.publicKey));
  if (forged) {
    return {
      records: 0,
      end: startOfChain(writer),
      fault: fault(forged, 'its signed head has a wrong signature'),
    };
  }
  const expected = new Map(heads.map((head) => [head.sequence, head.hash]));
  let at = startOfChain(writer);
  let records = 0;
  let pruned: ChainHead | undefined;
  for (;;) {
    const page = await use.reader.chain(scope, writer, at.sequence + 1, PAGE);
    for (const record of page) {
      if (records === 0 && record.sequence > 1) {
        // The beginning may be gone only if a later checkpoint of this chain says so.
        pruned = { writer, sequence: record.sequence - 1, hash: record.previous_hash };
        at = pruned;
      }
      const problem = problemOf(record, at, expected);
      if (problem) return { records, end: at, fault: fault(record, problem) };
      at = { writer, sequence: record.sequence, hash: record.hash };
      records += 1;
      if (pruned && coversPruning(record, pruned)) pruned = undefined;
    }
    if (page.length < PAGE) break;
  }
  if (pruned) {
    const problem = `it and all up to ${pruned.sequence} are gone and no checkpoint says why`;
    return { records, end: at, fault: fault({ writer, sequence: 1 }, problem) };
  }
  const newest = heads.at(-1);
  if (newest && newest.sequence > at.sequence) {
    const missing = { writer, sequence: at.sequence + 1 };
    const signed = `it is missing although a head for ${newest.sequence} was signed`;
    return { records, end: at, fault: fault(missing, signed) };
  }
  return { records, end: at };
}

function problemOf(
  record: AuditRecord,
  before: ChainHead,
  expected: ReadonlyMap<number, string>,
): string | undefined {
  if (record.sequence !== before.sequence + 1) return `it should have sequence ${before.sequence + 1}`;
  if (record.previous_hash !== before.hash) return 'it does not continue the record before it';
  if (record.hash !== hashRecord(record)) return 'its content does not match its hash';
  const signed = expected.get(record.sequence);
  if (signed !== undefined && signed !== record.hash) return 'it is not the record whose head was signed';
  return undefined;
}

/** A checkpoint names the last record it removed; that one's hash must be what the rest of the chain builds on. */
function coversPruning(record: AuditRecord, pruned: ChainHead): boolean {
  if (record.kind !== 'checkpoint' || record.note === null) return false;
  const removed: { readonly through?: number; readonly hash?: string } = JSON.parse(record.note);
  return removed.through === pruned.sequence && removed.hash === pruned.hash;
}

const fault = (at: { readonly writer: string; readonly sequence: number }, problem: string): AuditFault => ({
  writer: at.writer,
  sequence: at.sequence,
  problem,
});
