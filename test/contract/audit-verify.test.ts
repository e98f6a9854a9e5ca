/** What `verify` finds: every way to change what was recorded, short of holding the signing key. */
import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hashRecord } from '../../src/domain/governance/audit-chain.ts';
import { type SignedHead, signHead } from '../../src/domain/governance/audit-heads.ts';
import { writePruning } from '../../src/domain/governance/audit-notes.ts';
import { AUDIT_FIELDS, type AuditRecord } from '../../src/domain/governance/audit-record.ts';
import { type AuditVerification, verifyAudit } from '../../src/domain/governance/verify-audit.ts';
import { onEachStore, type StoreUnderTest } from '../support/each-store.ts';
import { freshDatabase } from '../support/postgres.ts';
import { findPostgres } from '../support/postgres-broker.ts';
import { type RawDatabase, withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { entryOf, openTestStore, type TestStore } from '../support/test-store.ts';

onEachStore('verification of the audit log', (under) => {
  const intact = { ok: true, faults: [] };

  /** A home with ten records, all its own; chains of other tests would be in the same database. */
  async function freshHome(): Promise<{ test: TestStore; own: StoreUnderTest; drop(): Promise<void> }> {
    let own = under;
    let drop = async (): Promise<void> => undefined;
    if (under.kind === 'postgres') {
      const found = await findPostgres();
      if (found.url === undefined) throw new Error(found.missing);
      const database = await freshDatabase(found.url);
      own = { ...under, config: () => ({ 'store.kind': 'postgres', 'store.url': database.url }) };
      drop = database.drop;
    }
    const test = await openTestStore(own, temporaryFolder());
    for (let i = 1; i <= 10; i += 1) {
      await test.store.audit.append(
        entryOf({ call_id: `call-${i}`, created_at: i * 1_000, note: '{"n":1}' }),
      );
    }
    return { test, own, drop };
  }

  async function inFreshHome(
    work: (
      test: TestStore,
      tamper: (statement: string) => Promise<void>,
      own: StoreUnderTest,
    ) => Promise<void>,
  ): Promise<void> {
    const { test, own, drop } = await freshHome();
    const tamper = (statement: string): Promise<void> =>
      withRawDatabase(test.layout.root, own.config(), (database) => database.run(statement));
    try {
      expect(await test.verify()).toMatchObject({ ...intact, records: 10 });
      await work(test, tamper, own);
    } finally {
      await test.close();
      await drop();
    }
  }

  const faultOf = ({ faults }: AuditVerification): unknown => faults[0]?.sequence;

  it.each([...AUDIT_FIELDS, 'previous_hash', 'hash'] as const)('[AUD-06] finds an edit of %s', (field) =>
    inFreshHome(async (test, tamper) => {
      const { [field]: value } = await recordOf(test, 5);
      await tamper(`update audit set ${field} = ${literal(otherThan(field, value))} where sequence = 5`);
      const { ok, faults } = await test.verify();
      expect(ok).toBe(false);
      // Under another name or number it is missing where it was.
      const missing = ['writer', 'sequence'].includes(field);
      expect(faults.map((fault) => fault.sequence)).toContain(missing ? 6 : 5);
    }),
  );

  it('[AUD-06] finds an edit whose hash was made to fit, by the record after it', () =>
    inFreshHome(async (test, tamper) => {
      const record = await recordOf(test, 4);
      const edited = { ...record, decision: 'deny' as const };
      await tamper(`update audit set decision = 'deny', hash = '${hashRecord(edited)}' where sequence = 4`);
      expect(faultOf(await test.verify())).toBe(5);
    }));

  it('[AUD-07] finds a record that was taken out of the middle', () =>
    inFreshHome(async (test, tamper) => {
      await tamper('delete from audit where sequence = 6');
      expect(faultOf(await test.verify())).toBe(7);
    }));

  it('[AUD-07] finds records that changed places', () =>
    inFreshHome(async (test, tamper) => {
      await tamper('update audit set sequence = 99 where sequence = 3');
      await tamper('update audit set sequence = 3 where sequence = 4');
      await tamper('update audit set sequence = 4 where sequence = 99');
      expect(faultOf(await test.verify())).toBe(3);
    }));

  it('[AUD-07] finds a record that was put in behind the signed head, for the writer does not go on from it', () =>
    inFreshHome(async (test, tamper) => {
      const head = await recordOf(test, 10);
      const forged = { ...head, sequence: 11, call_id: 'forged', previous_hash: head.hash };
      await insert(tamper, { ...forged, hash: hashRecord(forged) });
      const refused = test.store.audit.append(entryOf({ call_id: 'goes on' }));
      await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
      expect(test.logged).toContain('record_refused');
    }));

  it('[AUD-07] finds that the end is missing, by the head that was signed', () =>
    inFreshHome(async (test, tamper) => {
      await tamper('delete from audit where sequence >= 9');
      const found = await test.verify();
      expect(faultOf(found)).toBe(9);
      expect(found.faults[0]?.problem).toContain('signed');
    }));

  it('[AUD-07] finds that the beginning is missing, for no checkpoint says why', () =>
    inFreshHome(async (test, tamper) => {
      await tamper('delete from audit where sequence <= 3');
      expect(faultOf(await test.verify())).toBe(1);
    }));

  it('[AUD-07] finds that everything is missing', () =>
    inFreshHome(async (test, tamper) => {
      await tamper('delete from audit');
      expect(await test.verify()).toMatchObject({ ok: false, faults: [{ sequence: 1 }] });
    }));

  it('[AUD-07] finds a chain that was written anew from some record on', () =>
    inFreshHome(async (test, _, own) => {
      await withRawDatabase(test.layout.root, own.config(), (database) => rewriteFrom(test, database, 5));
      const found = await test.verify();
      expect(found.faults).toMatchObject([{ problem: expect.stringContaining('signed') }]);
    }));

  it('[AUD-08] goes on finding a roll-back of the store after the writer has gone on', () =>
    inFreshHome(async (test, tamper, own) => {
      await tamper('delete from audit where sequence >= 6');
      const { keys, layout } = test;
      for (let i = 0; i < 6; i += 1) {
        // The process that writes is a new one each time, as after a restart.
        const again = await openTestStore(own, layout.root);
        await again.store.audit.append(entryOf({ call_id: `after-roll-back-${i}` }));
        const found = await again.verify();
        await again.close();
        expect(found, `after ${i + 1} records`).toMatchObject({
          ok: false,
          faults: [{ writer: keys.writer }],
        });
      }
    }));

  it('[AUD-08] finds a roll-back of store and heads together by a head that was kept elsewhere', () =>
    inFreshHome(async (test, tamper) => {
      const newest = join(test.layout.heads, 'newest');
      const aside = join(temporaryFolder(), 'newest');
      copyFileSync(newest, aside);
      await test.store.audit.append(entryOf({ call_id: 'to be denied' }));
      const exported = test.heads.heads();
      await tamper('delete from audit where sequence = 11');
      copyFileSync(aside, newest);
      expect(await test.verify()).toMatchObject(intact);
      expect(await verifyWith(test, exported)).toMatchObject({ ok: false, faults: [{ sequence: 11 }] });
    }));

  it('[AUD-08] finds a head that the home did not sign', () =>
    inFreshHome(async (test) => {
      const other = await openTestStore({ ...under, kind: 'sqlite', config: () => ({}) }, temporaryFolder());
      const head = { writer: test.keys.writer, sequence: 10, hash: (await recordOf(test, 10)).hash };
      const forged = signHead(head, 1, other.keys.signing);
      await other.close();
      expect(await verifyWith(test, [forged])).toMatchObject({
        ok: false,
        faults: [{ problem: expect.stringContaining('signature') }],
      });
      const [genuine] = test.heads.heads().slice(-1);
      const moved = { ...(genuine as SignedHead), sequence: 9 };
      expect(await verifyWith(test, [moved])).toMatchObject({ ok: false });
    }));

  it('[AUD-08] finds two signed heads that contradict each other', () =>
    inFreshHome(async (test) => {
      const other = signHead(
        { writer: test.keys.writer, sequence: 10, hash: 'f'.repeat(64) },
        1,
        test.keys.signing,
      );
      for (const heads of [
        [other, ...test.heads.heads()],
        [...test.heads.heads(), other],
      ])
        expect(await verifyWith(test, heads)).toMatchObject({ ok: false, faults: [{ sequence: 10 }] });
    }));

  it('[AUD-08] says so, and does not break, when a checkpoint says nothing sensible', () =>
    inFreshHome(async (test, tamper) => {
      for (const note of ['not JSON', 'null', '[]', '"text"'])
        await test.store.audit.append(entryOf({ kind: 'checkpoint', note }));
      expect(await test.verify()).toMatchObject(intact);
      await tamper('delete from audit where sequence <= 3');
      expect(faultOf(await test.verify())).toBe(1);
    }));

  it('[AUD-09] finds that another writer was cut short, by what this one saw of it when it began', () =>
    inFreshHome(async (test, tamper, own) => {
      const other = await openAsOther(test, own);
      expect(await other.verify()).toMatchObject({ ...intact, records: 11 });
      await tamper(`delete from audit where writer = '${test.keys.writer}' and sequence > 8`);
      const cut = await other.verify();
      await tamper(`delete from audit where writer = '${test.keys.writer}'`);
      const gone = await other.verify();
      await other.close();
      expect(cut).toMatchObject({ ok: false, faults: [{ writer: test.keys.writer, sequence: 9 }] });
      expect(gone).toMatchObject({ ok: false, faults: [{ writer: test.keys.writer, sequence: 1 }] });
    }));

  it('[AUD-09] finds that another writer was written anew, by what this one saw of it', () =>
    inFreshHome(async (test, _, own) => {
      const other = await openAsOther(test, own);
      await withRawDatabase(test.layout.root, own.config(), (database) => rewriteFrom(test, database, 5));
      const found = await other.verify();
      await other.close();
      expect(found).toMatchObject({ ok: false, faults: [{ writer: test.keys.writer, sequence: 10 }] });
    }));

  it('[AUD-09] has nothing against another writer that pruned what was seen of it', () =>
    inFreshHome(async (test, tamper, own) => {
      const other = await openAsOther(test, own);
      const last = await recordOf(test, 10);
      await test.store.audit.append(entryOf({ kind: 'checkpoint', note: writePruning(last) }));
      await tamper(`delete from audit where writer = '${test.keys.writer}' and sequence <= 10`);
      const found = await other.verify();
      await other.close();
      expect(found).toMatchObject(intact);
    }));

  /** The same database with the keys and heads of another home: a second writer that begins now. */
  async function openAsOther(test: TestStore, own: StoreUnderTest): Promise<TestStore> {
    const seen = { writer: test.keys.writer, sequence: 10, hash: (await recordOf(test, 10)).hash };
    for (const folder of [test.layout.keys, test.layout.heads]) renameSync(folder, `${folder}-of-the-first`);
    const other = await openTestStore(own, test.layout.root);
    await other.store.audit.append(
      entryOf({ kind: 'writer_started', note: JSON.stringify({ version: '1', others: [seen] }) }),
    );
    return other;
  }
});

const literal = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${String(value)}'`;

const NUMBERS = ['duration_ms', 'policy_version'];

/** Another value that the column takes. */
function otherThan(field: string, value: string | number | null): string | number {
  if (typeof value === 'number') return value + 1_000;
  return NUMBERS.includes(field) ? 7 : `${value ?? ''}x`;
}

async function recordOf({ store, keys }: TestStore, sequence: number): Promise<AuditRecord> {
  const [record] = await store.units.read((scope) =>
    store.auditReader.chain(scope, keys.writer, sequence, 1),
  );
  if (record?.sequence !== sequence) throw new Error(`There is no record ${sequence}`);
  return record;
}

function verifyWith({ store, keys }: TestStore, heads: readonly SignedHead[]): Promise<AuditVerification> {
  return store.units.read((scope) =>
    verifyAudit({ reader: store.auditReader, publicKey: keys.verifying }, scope, heads),
  );
}

/** As an intruder would who can write the table but not sign: all hashes fit again. */
async function rewriteFrom(test: TestStore, database: RawDatabase, from: number): Promise<void> {
  const { store, keys } = test;
  const records = await store.units.read((scope) => store.auditReader.chain(scope, keys.writer, from, 1_000));
  let previous = records[0]?.previous_hash ?? '';
  for (const record of records) {
    const edited = { ...record, subject_name: 'somebody else', previous_hash: previous };
    previous = hashRecord(edited);
    await database.run(
      `update audit set subject_name = 'somebody else', previous_hash = '${edited.previous_hash}', hash = '${previous}'
       where writer = '${record.writer}' and sequence = ${record.sequence}`,
    );
  }
}

function insert(tamper: (statement: string) => Promise<void>, record: AuditRecord): Promise<void> {
  const columns = [...AUDIT_FIELDS, 'previous_hash', 'hash'] as const;
  return tamper(
    `insert into audit (${columns.join(', ')}) values (${columns.map((column) => literal(record[column])).join(', ')})`,
  );
}
