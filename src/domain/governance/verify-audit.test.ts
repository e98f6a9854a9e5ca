import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { type ChainHead, headOf, sealEntry, startOfChain } from './audit-chain.ts';
import { type SignedHead, signHead } from './audit-heads.ts';
import { type AuditEntry, type AuditRecord, auditEntry } from './audit-record.ts';
import { verifyAudit } from './verify-audit.ts';

const keys = generateKeyPairSync('ed25519');
const otherKeys = generateKeyPairSync('ed25519');

const entry = (at: number, wish: Partial<AuditEntry> = {}): AuditEntry =>
  auditEntry({
    created_at: at,
    call_id: `call-${at}`,
    kind: 'tool',
    surface: 'in-process',
    tool_name: 'read_page',
    decision: 'allow',
    status: 'success',
    ...wish,
  });

function chainOf(writer: string, entries: readonly AuditEntry[], from = startOfChain(writer)): AuditRecord[] {
  const records: AuditRecord[] = [];
  let head: ChainHead = from;
  for (const one of entries) {
    const previous_hash = head.hash;
    head = sealEntry(head, one).head;
    records.push({ ...one, ...head, previous_hash });
  }
  return records;
}

const entries = (count: number): AuditEntry[] => Array.from({ length: count }, (_, i) => entry(i + 1));
const signed = (record: AuditRecord): SignedHead => signHead(headOf(record), 1, keys.privateKey);

/** Chains as they would be read, nothing but arrays behind it. */
function verify(records: readonly AuditRecord[], heads: readonly SignedHead[] = []) {
  const reader = {
    writers: async () => [...new Set(records.map(({ writer }) => writer))],
    chain: async (_scope: ReadScope, writer: string, from: number, limit: number) =>
      records
        .filter((record) => record.writer === writer && record.sequence >= from)
        .sort((a, b) => a.sequence - b.sequence)
        .slice(0, limit),
  };
  return verifyAudit({ reader, publicKey: keys.publicKey }, Object.create(null), heads);
}

const changed = (records: readonly AuditRecord[], at: number, wish: Partial<AuditRecord>): AuditRecord[] =>
  records.map((record, i) => (i === at ? { ...record, ...wish } : record));

describe('[POL-17] verifying the audit log', () => {
  const records = chainOf('w1', entries(6));
  const [first, second, third, fourth, fifth, last] = records as [
    AuditRecord,
    AuditRecord,
    AuditRecord,
    AuditRecord,
    AuditRecord,
    AuditRecord,
  ];

  it('finds nothing wrong with what is whole', async () => {
    expect(await verify([])).toMatchObject({ ok: true, records: 0, chains: [] });
    const two = [...records, ...chainOf('w2', entries(2))];
    expect(await verify(two, [signed(third), signed(last)])).toEqual({
      ok: true,
      records: 8,
      heads: 2,
      chains: [headOf(last), expect.objectContaining({ writer: 'w2', sequence: 2 })],
      faults: [],
    });
  });

  it('reads chains longer than one page', async () => {
    const long = chainOf('w1', entries(1_203));
    expect(await verify(long)).toMatchObject({ ok: true, records: 1_203 });
    expect(await verify(changed(long, 1_100, { tool_name: 'x' }))).toMatchObject({
      faults: [{ writer: 'w1', sequence: 1_101 }],
    });
  });

  it.each<[string, readonly AuditRecord[], number, string]>([
    ['a changed field', changed(records, 2, { decision: 'deny' }), 3, 'does not match its hash'],
    ['a field set to nothing', changed(records, 2, { tool_name: '' }), 3, 'does not match its hash'],
    ['a changed hash', changed(records, 2, { hash: '0'.repeat(64) }), 3, 'does not match its hash'],
    ['a record left out', [first, second, fourth, fifth, last], 4, 'should have sequence 3'],
    [
      'two records swapped',
      [first, { ...third, sequence: 2 }, { ...second, sequence: 3 }, fourth],
      2,
      'continue',
    ],
    [
      'a chain of somebody else',
      changed(records, 3, chainOf('w9', entries(4))[3] ?? {}).map((r) => ({ ...r, writer: 'w1' })),
      4,
      'continue',
    ],
    [
      'a record put in',
      [
        first,
        ...chainOf('w1', [entry(99)], headOf(first)),
        ...chainOf('w1', entries(3).slice(1), { ...headOf(first), sequence: 2 }),
      ],
      3,
      'continue',
    ],
  ])('finds %s, and only the first fault of a chain', async (_, broken, sequence, problem) => {
    const checked = await verify(broken);
    expect(checked.ok).toBe(false);
    expect(checked.faults).toEqual([{ writer: 'w1', sequence, problem: expect.stringContaining(problem) }]);
  });

  it('finds a chain sealed anew from a changed record on, by a head that was signed', async () => {
    const forged = [first, second, ...chainOf('w1', [entry(77), ...entries(6).slice(3)], headOf(second))];
    expect(await verify(forged)).toMatchObject({ ok: true });
    for (const head of [third, last]) {
      expect(await verify(forged, [signed(head)])).toMatchObject({
        ok: false,
        faults: [{ sequence: head.sequence, problem: expect.stringContaining('whose head was signed') }],
      });
    }
  });

  it('finds two signed heads that contradict each other, whichever comes first', async () => {
    const forged = [first, second, ...chainOf('w1', [entry(77)], headOf(second))];
    const heads = [signed(third), signed(forged[2] as AuditRecord)];
    for (const given of [heads, heads.toReversed()]) {
      expect(await verify(forged, given)).toMatchObject({ ok: false, faults: [{ sequence: 3 }] });
    }
  });

  it('finds a log that was cut short or rolled back', async () => {
    expect(await verify([first, second], [signed(last)])).toMatchObject({
      ok: false,
      faults: [{ writer: 'w1', sequence: 3, problem: expect.stringContaining('a head for 6 was signed') }],
    });
    expect(await verify([], [signed(last)])).toMatchObject({ ok: false, faults: [{ sequence: 1 }] });
  });

  it('finds a head that somebody else signed', async () => {
    const forged = signHead(headOf(last), 1, otherKeys.privateKey);
    for (const head of [
      forged,
      { ...signed(last), sequence: 5 },
      { ...signed(last), at: 2 },
      { ...signed(last), signature: '' },
    ]) {
      expect(await verify(records, [head])).toMatchObject({
        ok: false,
        faults: [{ problem: expect.stringContaining('wrong signature') }],
      });
    }
  });

  const checkpoint = (at: number, through: AuditRecord): AuditEntry =>
    entry(at, {
      kind: 'checkpoint',
      note: JSON.stringify({ through: through.sequence, hash: through.hash }),
    });

  it('accepts a beginning that a later checkpoint of the chain accounts for', async () => {
    const pruned = [...records.slice(3), ...chainOf('w1', [checkpoint(9, third)], headOf(last))];
    expect(await verify(pruned, [signed(second), signed(last)])).toMatchObject({ ok: true, records: 4 });
  });

  it.each([
    ['nothing', entry(9)],
    ['a checkpoint for another record', checkpoint(9, second)],
    ['a checkpoint with another hash', checkpoint(9, { ...third, hash: first.hash })],
  ])('refuses a missing beginning with %s to account for it', async (_, accounting) => {
    const pruned = [...records.slice(3), ...chainOf('w1', [accounting], headOf(last))];
    expect(await verify(pruned)).toMatchObject({
      ok: false,
      faults: [{ sequence: 1, problem: expect.stringContaining('no checkpoint says why') }],
    });
  });

  it('holds the end of what was pruned to the head that was signed for it', async () => {
    const pruned = [...records.slice(3), ...chainOf('w1', [checkpoint(9, third)], headOf(last))];
    const other = signHead({ ...headOf(third), hash: first.hash }, 1, keys.privateKey);
    expect(await verify(pruned, [signed(third)])).toMatchObject({ ok: true });
    expect(await verify(pruned, [other])).toMatchObject({ ok: false, faults: [{ sequence: 3 }] });
  });

  it('checks each chain for itself', async () => {
    const two = [
      ...changed(records, 1, { status: 'error' }),
      ...changed(chainOf('w2', entries(3)), 2, { note: 'x' }),
    ];
    const { faults } = await verify(two);
    expect(faults.map(({ writer, sequence }) => [writer, sequence])).toEqual([
      ['w1', 2],
      ['w2', 3],
    ]);
  });
});
