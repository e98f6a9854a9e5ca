/**
 * Checks every chain against itself, against its signed heads, against what other writers saw of it and against
 * heads that somebody kept elsewhere.
 */
import type { KeyObject } from 'node:crypto';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { type ChainHead, hashRecord, startOfChain } from './audit-chain.ts';
import { isGenuineHead, type SignedHead } from './audit-heads.ts';
import type { AuditReader } from './audit-log.ts';
import { foundNoHead, readPruning, readSightings } from './audit-notes.ts';
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

interface Means {
  /** What was exported has no index that could pass a record over. */
  readonly reader: Pick<AuditReader, 'writers' | 'chain'> & Partial<Pick<AuditReader, 'firstUnlisted'>>;
  readonly publicKey: KeyObject;
  /** The chain whose heads are at hand: one with records and no head is a fault. Heads of others lie elsewhere. */
  readonly own?: string;
}

const PAGE = 500;

export async function verifyAudit(
  use: Means,
  scope: ReadScope,
  heads: readonly SignedHead[],
): Promise<AuditVerification> {
  const writers = new Set([...(await use.reader.writers(scope)), ...heads.map((head) => head.writer)]);
  const walks: Walk[] = [];
  for (const writer of writers) {
    const own = heads.filter((head) => head.writer === writer).sort((a, b) => a.sequence - b.sequence);
    walks.push(await walkChain(use, scope, writer, own));
  }
  const faults = new Map(walks.flatMap(({ end, fault }) => (fault ? [[end.writer, fault]] : [])));
  for (const seen of walks.flatMap((walk) => walk.sightings)) {
    const fault = faults.has(seen.writer) ? undefined : await checkSighting(use, scope, walks, seen);
    if (fault) faults.set(seen.writer, fault);
  }
  return {
    ok: faults.size === 0,
    records: walks.reduce((sum, walk) => sum + walk.records, 0),
    heads: heads.length,
    chains: walks.map((walk) => walk.end).sort(byWriter),
    faults: [...faults.values()].sort(byWriter),
  };
}

interface Walk {
  readonly records: number;
  /** The first sequence that is there. */
  readonly first: number;
  readonly end: ChainHead;
  /** Where this writer saw others stand. */
  readonly sightings: readonly ChainHead[];
  readonly fault?: AuditFault;
}

async function walkChain(
  use: Means,
  scope: ReadScope,
  writer: string,
  heads: readonly SignedHead[],
): Promise<Walk> {
  let at = startOfChain(writer);
  let [records, first] = [0, 1];
  let pruned: ChainHead | undefined;
  const sightings: ChainHead[] = [];
  const walked = (fault?: AuditFault): Walk => ({
    records,
    first,
    end: at,
    sightings,
    ...(fault && { fault }),
  });
  const forged = heads.find((head) => !isGenuineHead(head, use.publicKey));
  if (forged) return walked(faultAt(forged, 'its signed head has a wrong signature'));
  const signed = Map.groupBy(heads, (head) => head.sequence);
  for (;;) {
    const page = await use.reader.chain(scope, writer, at.sequence + 1, PAGE);
    for (const record of page) {
      if (records === 0 && record.sequence > 1) {
        // The beginning may be gone only if a later checkpoint of this chain says so.
        const gone: ChainHead = { writer, sequence: record.sequence - 1, hash: record.previous_hash };
        if (contradicts(signed.get(gone.sequence), gone.hash)) return walked(faultAt(gone, NOT_SIGNED));
        [pruned, at, first] = [gone, gone, record.sequence];
      }
      const problem = problemOf(record, at, signed.get(record.sequence) ?? []);
      if (problem) return walked(faultAt(record, problem));
      at = { writer, sequence: record.sequence, hash: record.hash };
      records += 1;
      if (pruned && coversPruning(record, pruned)) pruned = undefined;
      sightings.push(...readSightings(record));
    }
    const unlisted = await use.reader.firstUnlisted?.(scope, page);
    if (unlisted)
      return walked(faultAt(unlisted, 'a list would not find it: the index of the log was changed'));
    if (page.length < PAGE) break;
  }
  if (pruned) {
    const problem = `it and all up to ${pruned.sequence} are gone and no checkpoint says why`;
    return walked(faultAt({ writer, sequence: 1 }, problem));
  }
  const newest = heads.at(-1);
  if (newest && newest.sequence > at.sequence) {
    const problem = `it is missing although a head for ${newest.sequence} was signed`;
    return walked(faultAt({ writer, sequence: at.sequence + 1 }, problem));
  }
  if (!newest && records > 0 && writer === use.own) return walked(faultAt(at, NO_HEAD));
  return walked();
}

function problemOf(
  record: AuditRecord,
  before: ChainHead,
  signed: readonly SignedHead[],
): string | undefined {
  if (record.sequence !== before.sequence + 1) return `it should have sequence ${before.sequence + 1}`;
  if (record.previous_hash !== before.hash) return 'it does not continue the record before it';
  if (record.hash !== hashRecord(record)) return 'its content does not match its hash';
  if (contradicts(signed, record.hash)) return NOT_SIGNED;
  return foundNoHead(record)
    ? 'no signed head was left when it was written: what is gone before it is not known'
    : undefined;
}

const NO_HEAD = 'there is no signed head: what is gone after it is not known';
const NOT_SIGNED = 'it is not the record whose head was signed';

const contradicts = (signed: readonly SignedHead[] | undefined, hash: string): boolean =>
  signed?.some((head) => head.hash !== hash) ?? false;

/** A checkpoint names the last record it removed; that one's hash must be what the rest of the chain builds on. */
function coversPruning(record: AuditRecord, pruned: ChainHead): boolean {
  const removed = readPruning(record);
  return removed?.through === pruned.sequence && removed.hash === pruned.hash;
}

/** A chain that others have seen stand somewhere has been there, unless it was pruned beyond that since. */
async function checkSighting(
  { reader }: Means,
  scope: ReadScope,
  walks: readonly Walk[],
  seen: ChainHead,
): Promise<AuditFault | undefined> {
  const walk = walks.find(({ end }) => end.writer === seen.writer);
  if (!walk)
    return faultAt({ ...seen, sequence: 1 }, `it is missing although ${seen.sequence} was seen by another`);
  if (seen.sequence < walk.first) return undefined;
  if (seen.sequence > walk.end.sequence) {
    const missing = { writer: seen.writer, sequence: walk.end.sequence + 1 };
    return faultAt(missing, `it is missing although another writer saw ${seen.sequence}`);
  }
  const [record] = await reader.chain(scope, seen.writer, seen.sequence, 1);
  return record?.hash === seen.hash
    ? undefined
    : faultAt(seen, 'it is not the record that another writer saw');
}

const byWriter = (a: { readonly writer: string }, b: { readonly writer: string }): number =>
  a.writer < b.writer ? -1 : 1;

const faultAt = (
  at: { readonly writer: string; readonly sequence: number },
  problem: string,
): AuditFault => ({
  writer: at.writer,
  sequence: at.sequence,
  problem,
});
