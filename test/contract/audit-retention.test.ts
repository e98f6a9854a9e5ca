/** Retention: what is older than the owner wants goes, a checkpoint accounts for it, and nothing younger goes with it. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { pruneAudit, startRetention } from '../../src/app/retention.ts';
import { createGovernanceState } from '../../src/domain/governance/governance-state.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { onEachStore } from '../support/each-store.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { entryOf, openTestStore, type TestStore } from '../support/test-store.ts';

const DAY = 24 * 60 * 60 * 1000;

onEachStore('audit retention', (under) => {
  const folder = temporaryFolder();
  let test: TestStore;
  beforeAll(async () => {
    if (under.available()) test = await openTestStore(under, folder);
  });
  afterAll(() => test?.close());

  async function prune(days: number): Promise<number> {
    const { store, clock, ids, keys } = test;
    await store.units.write({}, (tx) => store.governance.putSetting(tx, 'audit_retention_days', days));
    const governance = await createGovernanceState({ units: store.units, store: store.governance });
    return pruneAudit({ store, governance, clock, ids, log: silentLog, writer: keys.writer });
  }
  const record = (daysAgo: number, call_id = `${daysAgo} days ago`): Promise<void> =>
    test.store.audit.append(entryOf({ call_id, created_at: test.clock.now() - daysAgo * DAY }));
  const chain = () =>
    test.store.units.read((scope) => test.store.auditReader.chain(scope, test.keys.writer, 1, 1_000));

  it('[AUD-14] removes what is older, says so in the chain, and the chain still verifies', async () => {
    for (const daysAgo of [40, 35, 31, 29, 3, 0]) await record(daysAgo);
    expect(await prune(30)).toBe(3);
    const left = await chain();
    expect(left.map(({ call_id, kind }) => (kind === 'checkpoint' ? kind : call_id))).toEqual([
      '29 days ago',
      '3 days ago',
      '0 days ago',
      'checkpoint',
    ]);
    expect(left[0]?.sequence).toBe(4);
    expect(await test.verify()).toMatchObject({ ok: true, records: 4 });
  });

  it('[AUD-14] does nothing when nothing is old enough', async () => {
    expect(await prune(30)).toBe(0);
    expect(await chain()).toHaveLength(4);
  });

  it('[AUD-14] prunes again later, checkpoints included, and after opening again it still verifies', async () => {
    test.clock.pass(28 * DAY);
    await record(0, 'later');
    expect(await prune(30)).toBe(2);
    test.clock.pass(40 * DAY);
    expect(await prune(30)).toBe(4);
    expect((await chain()).map(({ kind }) => kind)).toEqual(['checkpoint']);
    const { clock } = test;
    await test.close();
    test = await openTestStore(under, folder, clock);
    await record(0, 'after opening again');
    expect(await test.verify()).toMatchObject({ ok: true, records: 2 });
  });

  it('[AUD-14] keeps a record that is young enough although the clock was wrong after it', async () => {
    await record(10, 'young');
    await record(4_000, 'from the past');
    await record(1, 'younger');
    await prune(30);
    expect((await chain()).map(({ call_id }) => call_id)).toEqual(
      expect.arrayContaining(['young', 'from the past', 'younger']),
    );
    expect(await test.verify()).toMatchObject({ ok: true });
  });

  it('[AUD-14] happens by itself, also in a program that lives for minutes only', async () => {
    const { store, clock, ids, keys } = test;
    const governance = await createGovernanceState({ units: store.units, store: store.governance });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stop = startRetention({ store, governance, clock, ids, log: silentLog, writer: keys.writer });
    const before = await chain();
    clock.pass(4_000 * DAY);
    vi.advanceTimersByTime(2 * 60 * 1000);
    vi.useRealTimers();
    await stop();
    expect((await chain())[0]?.sequence).toBeGreaterThan(before[0]?.sequence ?? Number.POSITIVE_INFINITY);
  });

  it('[AUD-14] counts as a fault when more is gone than the checkpoint says', async () => {
    test.clock.pass(31 * DAY);
    await record(0, 'last');
    expect(await prune(30)).toBeGreaterThan(0);
    expect(await test.verify()).toMatchObject({ ok: true });
    const [first] = await chain();
    await withRawDatabase(folder, under.config(), (database) =>
      database.run(`delete from audit where sequence = ${first?.sequence}`),
    );
    expect(await test.verify()).toMatchObject({ ok: false, faults: [{ sequence: 1 }] });
  });
});
