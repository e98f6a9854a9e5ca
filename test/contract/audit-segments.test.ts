/** Finding records through segments: nothing that was acknowledged is passed over, and whoever hides something is found out. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sealEntry, startOfChain } from '../../src/domain/governance/audit-chain.ts';
import type { AuditFilter } from '../../src/domain/governance/audit-log.ts';
import {
  AUDIT_COLUMNS,
  type AuditEntry,
  type AuditRecord,
} from '../../src/domain/governance/audit-record.ts';
import { homeLayout, makeHome } from '../../src/drivers/home/home-layout.ts';
import { openKeys } from '../../src/drivers/home/keys.ts';
import { SCHEMA_CHANGES } from '../../src/drivers/store/migrate.ts';
import { onEachStore, type StoreUnderTest } from '../support/each-store.ts';
import { makeOldStore } from '../support/old-store.ts';
import { type Database, freshDatabase } from '../support/postgres.ts';
import { findPostgres } from '../support/postgres-broker.ts';
import { randomFor, times } from '../support/random.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { entryOf, openTestStore, type TestStore } from '../support/test-store.ts';

const RECORDS = times(900, 5_000);

onEachStore('segments of the audit log', (under) => {
  const random = randomFor('audit segments');
  const databases: Database[] = [];
  const opened: TestStore[] = [];
  let server: string | undefined;
  beforeAll(async () => {
    server = (await findPostgres()).url;
  });
  afterAll(async () => {
    for (const test of opened) await test.close();
    for (const database of databases) await database.drop();
  });

  /** A store of its own: chains of other tests would be in the same database. */
  async function ownStore(): Promise<{ own: StoreUnderTest; folder: string }> {
    const folder = temporaryFolder();
    makeHome(homeLayout(folder));
    if (under.kind === 'sqlite') return { own: under, folder };
    const database = await freshDatabase(server ?? '');
    databases.push(database);
    const { url } = database;
    return { own: { ...under, config: () => ({ 'store.kind': 'postgres', 'store.url': url }) }, folder };
  }

  async function open(own: StoreUnderTest, folder: string): Promise<TestStore> {
    const test = await openTestStore(own, folder);
    opened.push(test);
    return test;
  }

  async function reopen(test: TestStore, own: StoreUnderTest): Promise<TestStore> {
    opened.splice(opened.indexOf(test), 1);
    await test.close();
    return open(own, test.layout.root);
  }

  /** Signs that mean something to SQL, values that begin alike, and times that go back now and then. */
  const NAMES = ['a', 'A', 'ab', 'a_b', 'axb', '%', 'a"b\\', 'line\nbreak', '漢字'];
  const entry = (i: number): AuditEntry =>
    entryOf({
      call_id: `call-${String(i).padStart(6, '0')}`,
      created_at: 1_000 + i - (random.oneIn(20) ? random.between(0, i) : 0),
      tool_name: random.pick(NAMES),
      subject_id: random.pick(NAMES),
      run_id: `${random.pick(NAMES)}/${i >> 6}`,
      error_code: random.oneIn(50) ? 'rare' : null,
      parent_call_id: random.oneIn(100) ? `call-${i >> 1}` : null,
    });

  async function fill({ store }: TestStore, from: number, to: number): Promise<void> {
    for (let i = from; i < to; i += 1) {
      const batch = Array.from({ length: random.between(1, 150) }, (_, k) => i + k).filter((n) => n < to);
      i += batch.length - 1;
      await Promise.allSettled([
        ...batch.map((n) => store.audit.append(entry(n))),
        store.units.write({}, async (tx) => {
          await store.audit.appendWith(tx, entryOf({ tool_name: 'rolled back', call_id: 'zzz' }));
          throw new Error('rolled back');
        }),
      ]);
    }
  }

  const chainOf = ({ store, keys }: TestStore) =>
    store.units.read((scope) => store.auditReader.chain(scope, keys.writer, 1, 100_000));
  const listed = ({ store }: TestStore, filter: AuditFilter, limit = 100_000, before?: AuditRecord) =>
    store.units.read((scope) => store.auditReader.list(scope, filter, limit, before));

  /** What a list must answer, by looking at every record. */
  const expected = (all: readonly AuditRecord[], { since, until, ...equal }: AuditFilter) =>
    all
      .filter((one) => one.created_at >= (since ?? 0) && one.created_at < (until ?? Number.MAX_VALUE))
      .filter((one) =>
        Object.entries(equal).every(([field, value]) => one[field as keyof AuditRecord] === value),
      )
      .toSorted((x, y) => y.created_at - x.created_at || y.sequence - x.sequence)
      .map(({ sequence }) => sequence);

  function someFilter(all: readonly AuditRecord[]): AuditFilter {
    const one = random.pick(all);
    const fields = ['tool_name', 'subject_id', 'run_id', 'error_code', 'parent_call_id', 'call_id'] as const;
    const wanted = fields.filter(() => random.oneIn(4)).map((field) => [field, one[field] ?? 'rare']);
    return {
      ...Object.fromEntries(wanted),
      ...(random.oneIn(3) && { since: random.pick(all).created_at }),
      ...(random.oneIn(3) && { until: random.pick(all).created_at }),
    };
  }

  async function compare(test: TestStore): Promise<void> {
    const all = await chainOf(test);
    for (let i = 0; i < times(40, 400); i += 1) {
      const filter = someFilter(all);
      const found = await listed(test, filter);
      const wanted = expected(all, filter);
      expect(
        found.map(({ sequence }) => sequence),
        JSON.stringify(filter),
      ).toEqual(wanted);
      const [limit, middle] = [random.between(1, 30), found[random.between(0, found.length)]];
      const after = middle ? wanted.indexOf(middle.sequence) + 1 : 0;
      const page = await listed(test, filter, limit, middle);
      expect(page.map(({ sequence }) => sequence)).toEqual(wanted.slice(after, after + limit));
    }
    expect(await test.verify()).toMatchObject({ ok: true, faults: [] });
  }

  it('[HOT-01][HOT-02] answer what looking at every record answers, whatever was rolled back, reopened or pruned', async () => {
    const { own, folder } = await ownStore();
    let test = await open(own, folder);
    await fill(test, 0, RECORDS / 2);
    test = await reopen(test, own);
    await fill(test, RECORDS / 2, RECORDS);
    await compare(test);
    const { store, keys } = test;
    const call = (await chainOf(test))[700];
    const found = await store.units.read((scope) => store.auditReader.ofCall(scope, call?.call_id ?? ''));
    expect(found.map(({ sequence }) => sequence)).toEqual([call?.sequence]);
    await store.units.write({}, (tx) => store.auditReader.prune(tx, keys.writer, 400));
    const all = await chainOf(test);
    expect(all[0]?.sequence).toBe(401);
    for (let i = 0; i < 20; i += 1) {
      const filter = someFilter(all);
      expect((await listed(test, filter)).map(({ sequence }) => sequence)).toEqual(expected(all, filter));
    }
  });

  const HIDINGS = [
    ['a row that is gone', 'delete from audit_segment where segment = 0'],
    [
      'a value that is gone',
      `update audit_segment set terms = replace(terms, 'hidden', 'elsewhere') where segment = 0`,
    ],
    ['a time that is too late', 'update audit_segment set from_time = to_time where segment = 0'],
    ['a time that is too early', 'update audit_segment set to_time = from_time where segment = 0'],
    ['calls that are gone', `update audit_segment set from_call = to_call where segment = 0`],
    ['a segment that is still to come', `update audit_segment set segment = 9 where segment = 1`],
  ] as const;
  it('[HOT-03] that were changed to hide a record are found by a verification', async () => {
    const { own, folder } = await ownStore();
    const test = await open(own, folder);
    const entries = Array.from({ length: 600 }, (_, i) =>
      entryOf({ call_id: `call-${i}`, created_at: 1_000 + i, tool_name: i === 100 ? 'hidden' : 'read_page' }),
    );
    await Promise.all(entries.map((one) => test.store.audit.append(one)));
    expect(await test.verify()).toMatchObject({ ok: true });
    for (const [what, statement] of HIDINGS) {
      await withRawDatabase(folder, own.config(), async (database) => {
        const rows = await database.all('select * from audit_segment order by segment');
        await database.run(statement);
        const { ok, faults } = await test.verify();
        expect([what, ok, faults[0]?.problem]).toEqual([
          what,
          false,
          expect.stringContaining('a list would not'),
        ]);
        await database.run('delete from audit_segment');
        for (const row of rows) await database.run(insertion('audit_segment', row));
      });
      expect(await test.verify()).toMatchObject({ ok: true });
    }
  });

  it('[HOT-04] are made for the records of an earlier release, whose chain goes on as it was', async () => {
    const { own, folder } = await ownStore();
    const keys = openKeys(homeLayout(folder).keys);
    const before = SCHEMA_CHANGES.filter(({ name }) => name < '0009');
    await makeOldStore(own, folder, before, async (db) => {
      let head = startOfChain(keys.writer);
      for (let i = 0; i < 700; i += 1) {
        const sealed = sealEntry(head, entry(i));
        head = sealed.head;
        const record = Object.fromEntries(AUDIT_COLUMNS.map((column, place) => [column, sealed.row[place]]));
        await db
          .insertInto('audit')
          .values(record as unknown as AuditRecord)
          .execute();
      }
    });
    const test = await open(own, folder);
    expect(await chainOf(test)).toHaveLength(700);
    await fill(test, 700, 800);
    await compare(test);
  });
});

const insertion = (table: string, row: Readonly<Record<string, unknown>>): string =>
  `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row)
    .map((value) => (typeof value === 'number' ? value : `'${String(value).replaceAll("'", "''")}'`))
    .join(', ')})`;
