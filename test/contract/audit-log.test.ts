/** The audit log: what it acknowledges is durable and in its chain, and it can be asked for by every field. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditFilter } from '../../src/domain/governance/audit-log.ts';
import { AUDIT_FIELDS, type AuditEntry } from '../../src/domain/governance/audit-record.ts';
import { onEachStore } from '../support/each-store.ts';
import { randomFor } from '../support/random.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { entryOf, openTestStore, type TestStore } from '../support/test-store.ts';

/** One value of its own in every field. */
const full: AuditEntry = {
  created_at: 1_767_225_600_123,
  call_id: 'call-of-its-own',
  parent_call_id: 'parent-of-its-own',
  phase: 'finished',
  kind: 'prompt',
  surface: 'surface-of-its-own',
  server: 'server-of-its-own',
  tool_name: 'tool ✓ 漢字 🜁 "quoted" \\ \n',
  family: 'family-of-its-own',
  effect: 'effect',
  decision: 'deny',
  status: 'started',
  gate: 'gate-of-its-own',
  error_code: 'code-of-its-own',
  duration_ms: 2 ** 40,
  subject_type: 'type-of-its-own',
  subject_id: 'subject-of-its-own',
  subject_name: 'name-of-its-own',
  user_id: 'user',
  group_ids: '["g"]',
  role_names: '["r"]',
  credential_id: 'credential-of-its-own',
  agent_type: 'agent',
  invocation_class: 'class',
  workspace_id: 'workspace-of-its-own',
  project_id: 'project-of-its-own',
  task_id: 'task-of-its-own',
  job_id: 'job-of-its-own',
  run_id: 'run-of-its-own',
  thread_id: 'thread-of-its-own',
  origin: 'imported',
  declared_origin: 'authored',
  policy_version: 7,
  catalogue_version: 'c',
  input_digest: 'i',
  output_digest: 'o',
  verdict: 'v',
  source: 's',
  repeat_count: 3,
  note: '{}',
};

onEachStore('the audit log', (under) => {
  const folder = temporaryFolder();
  let test: TestStore;
  beforeAll(async () => {
    if (under.available()) test = await openTestStore(under, folder);
  });
  afterAll(() => test?.close());

  const list = (filter: AuditFilter, limit = 1_000, before?: Parameters<typeof listIn>[3]) =>
    listIn(test, filter, limit, before);

  it('[AUD-01] keeps every field as it was given, on disk before it answers', async () => {
    await test.store.audit.append(full);
    const [row] = await withRawDatabase(folder, under.config(), (database) =>
      database.all(`select * from audit where call_id = 'call-of-its-own'`),
    );
    expect(row).toMatchObject(full);
    expect(Object.keys(row ?? {}).toSorted()).toEqual([...AUDIT_FIELDS, 'previous_hash', 'hash'].toSorted());
    const [read] = await list({ call_id: full.call_id });
    expect(read).toMatchObject(full);
  });

  it('[AUD-01] numbers what arrives at once without a gap, in the order in which it arrived', async () => {
    const calls = Array.from({ length: 300 }, (_, i) => `burst-${i}`);
    await Promise.all(
      calls.map((call_id) => test.store.audit.append(entryOf({ call_id, tool_name: 'burst' }))),
    );
    const records = (await list({ tool_name: 'burst' })).toReversed();
    expect(records.map((record) => record.call_id)).toEqual(calls);
    const [first] = records;
    expect(records.map((record) => record.sequence)).toEqual(calls.map((_, i) => (first?.sequence ?? 0) + i));
    expect(await test.verify()).toMatchObject({ ok: true });
  });

  it('[AUD-02] keeps a record that belongs to a unit with it, or not at all', async () => {
    const { store } = test;
    const recorded = (call_id: string, fails: boolean): Promise<void> =>
      store.units.write({}, async (tx) => {
        await store.audit.appendWith(tx, entryOf({ call_id: `${call_id}-a`, tool_name: 'with-unit' }));
        await store.governance.putSetting(tx, call_id, 1);
        await store.audit.appendWith(tx, entryOf({ call_id: `${call_id}-b`, tool_name: 'with-unit' }));
        if (fails) throw new Error('rolled back');
      });
    const settled = await Promise.allSettled([
      recorded('lands', false),
      recorded('fails', true),
      store.audit.append(entryOf({ call_id: 'between', tool_name: 'with-unit' })),
      recorded('lands too', false),
      recorded('fails too', true),
    ]);
    expect(settled.map((one) => one.status === 'fulfilled')).toEqual([true, false, true, true, false]);
    const calls = (await list({ tool_name: 'with-unit' })).map((record) => record.call_id).toReversed();
    expect(calls).toEqual(['lands-a', 'lands-b', 'lands too-a', 'lands too-b', 'between']);
    const { settings } = await store.units.read((scope) => store.governance.load(scope));
    expect([settings.get('lands'), settings.get('fails'), settings.get('lands too')]).toEqual([
      1,
      undefined,
      1,
    ]);
    expect(await test.verify()).toMatchObject({ ok: true });
  });

  it('[AUD-03] goes on with its chain after it was closed and opened again', async () => {
    const head = await test.store.units.read((scope) => test.store.auditReader.head(scope, test.keys.writer));
    await test.close();
    test = await openTestStore(under, folder);
    await test.store.audit.append(entryOf({ call_id: 'after-reopening' }));
    const [record] = await list({ call_id: 'after-reopening' });
    expect(record).toMatchObject({ sequence: (head?.sequence ?? 0) + 1, previous_hash: head?.hash });
    expect(await test.verify()).toMatchObject({ ok: true, faults: [] });
  });

  const fields = [
    ...[
      'call_id',
      'parent_call_id',
      'tool_name',
      'family',
      'kind',
      'surface',
      'server',
      'decision',
      'status',
    ],
    ...['error_code', 'gate', 'subject_type', 'subject_id', 'subject_name', 'credential_id', 'workspace_id'],
    ...['project_id', 'task_id', 'job_id', 'run_id', 'thread_id'],
  ] as const;
  it.each(fields)('[AUD-04] finds a record by its %s and by nothing else', async (field) => {
    const value = full[field as keyof AuditEntry] as string;
    const found = await list({ [field]: value });
    expect(found.map((record) => record.call_id)).toEqual([full.call_id]);
    expect(await list({ [field]: `not ${value}` })).toEqual([]);
  });

  it('[AUD-04] finds records by writer and by time, the end excluded', async () => {
    for (const at of [10, 20, 30]) {
      await test.store.audit.append(entryOf({ call_id: `at-${at}`, tool_name: 'timed', created_at: at }));
    }
    const calls = async (filter: AuditFilter): Promise<string[]> =>
      (await list({ tool_name: 'timed', ...filter })).map((record) => record.call_id);
    expect(await calls({ since: 20 })).toEqual(['at-30', 'at-20']);
    expect(await calls({ until: 20 })).toEqual(['at-10']);
    expect(await calls({ since: 20, until: 30 })).toEqual(['at-20']);
    expect(await calls({ writer: test.keys.writer })).toHaveLength(3);
    expect(await calls({ writer: 'somebody else' })).toEqual([]);
  });

  it('[AUD-05] pages through records of equal and different times without repeating or skipping one', async () => {
    const random = randomFor('audit paging');
    const calls = Array.from({ length: 120 }, (_, i) => `page-${i}`);
    for (const call_id of calls) {
      const created_at = 5_000 + random.between(0, 10);
      await test.store.audit.append(entryOf({ call_id, tool_name: 'paged', created_at }));
    }
    const whole = await list({ tool_name: 'paged' });
    const paged = whole.slice(0, 0);
    for (;;) {
      const page = await list({ tool_name: 'paged' }, random.between(1, 17), paged.at(-1));
      if (page.length === 0) break;
      paged.push(...page);
    }
    expect(paged).toEqual(whole);
    expect(new Set(paged.map((record) => record.call_id)).size).toBe(120);
    const sorted = whole.toSorted((x, y) => y.created_at - x.created_at || y.sequence - x.sequence);
    expect(whole).toEqual(sorted);
  });

  it('[AUD-10] keeps a record whose text no database can keep, with those characters replaced', async () => {
    await test.store.audit.append(
      entryOf({ call_id: 'odd', subject_name: 'a\0b\ud800c', tool_name: '\udc00' }),
    );
    const [record] = await list({ call_id: 'odd' });
    expect(record).toMatchObject({ subject_name: 'a\ufffdb\ufffdc', tool_name: '\ufffd' });
    expect(await test.verify()).toMatchObject({ ok: true });
  });

  it('[AUD-11] refuses a record that cannot be kept alone: those beside it and the units land', async () => {
    const { store } = test;
    const settled = await Promise.allSettled([
      store.audit.append(entryOf({ call_id: 'good-1', tool_name: 'poisoned' })),
      store.audit.append(entryOf({ call_id: 'bad', tool_name: 'poisoned', kind: null as never })),
      store.audit.append(entryOf({ call_id: 'good-2', tool_name: 'poisoned' })),
      store.units.write({}, (tx) => store.governance.putSetting(tx, 'beside poison', 1)),
    ]);
    expect(settled.map((one) => one.status === 'fulfilled')).toEqual([true, false, true, true]);
    expect((settled[1] as PromiseRejectedResult).reason).toMatchObject({ code: 'unavailable' });
    const calls = (await list({ tool_name: 'poisoned' })).map((record) => record.call_id);
    expect(calls).toEqual(['good-2', 'good-1']);
    store.audit.reserve();
    expect(await test.verify()).toMatchObject({ ok: true });
  });

  it('[AUD-12] does not go on with a chain that somebody else with its name went on with', async () => {
    const own = await openTestStore(under, temporaryFolder());
    await own.store.audit.append(entryOf({ call_id: 'mine' }));
    const twin = await openTestStore(under, own.layout.root);
    await twin.store.audit.append(entryOf({ call_id: 'theirs', tool_name: 'twin' }));
    const refused = own.store.audit.append(entryOf({ call_id: 'mine again', tool_name: 'twin' }));
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
    const unit = own.store.units.write({}, async (tx) => {
      await own.store.governance.putSetting(tx, 'twin', 'mine');
      await own.store.audit.appendWith(tx, entryOf({ call_id: 'mine with a unit', tool_name: 'twin' }));
    });
    await expect(unit).rejects.toThrow();
    await twin.store.audit.append(entryOf({ call_id: 'theirs again', tool_name: 'twin' }));
    const calls = (await listIn(twin, { tool_name: 'twin' }, 10)).map((record) => record.call_id);
    const { settings } = await twin.store.units.read((scope) => twin.store.governance.load(scope));
    const verified = await twin.verify();
    await Promise.all([own.close(), twin.close()]);
    expect(calls).toEqual(['theirs again', 'theirs']);
    expect(settings.get('twin')).toBeUndefined();
    expect(verified).toMatchObject({ ok: true, faults: [] });
  });
});

function listIn(
  { store }: TestStore,
  filter: AuditFilter,
  limit: number,
  before?: { readonly created_at: number; readonly writer: string; readonly sequence: number },
) {
  return store.units.read((scope) => store.auditReader.list(scope, filter, limit, before));
}
