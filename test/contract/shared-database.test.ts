/** Several gateways on one PostgreSQL database: the database makes them take turns, and lost races are run again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventActor, NewEvent } from '../../src/domain/workspace/ports/event-log.ts';
import type { WorkspaceId } from '../../src/kernel/ids.ts';
import type { WriteTx } from '../../src/kernel/ports/unit-of-work.ts';
import type { StoreUnderTest } from '../support/each-store.ts';
import { useFreshDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addWorkspace, openTestStore, type TestStore } from '../support/test-store.ts';

const actor: EventActor = {
  call: 'call',
  run: 'run',
  principal: 'owner',
  principalName: 'owner',
  tool: 'test',
  origin: 'authored',
};
const event: NewEvent = {
  kind: 'metadata_changed',
  page: null,
  beforeVersion: null,
  afterVersion: null,
  details: {},
};

/** Lets two units go on only when both have come so far. */
function meeting(): { arrive(): Promise<void> } {
  let both: () => void = () => undefined;
  const met = new Promise<void>((resolve) => {
    both = resolve;
  });
  let arrived = 0;
  return {
    arrive() {
      arrived += 1;
      if (arrived >= 2) both();
      return met;
    },
  };
}

describe('two gateways on one PostgreSQL database', () => {
  const database = useFreshDatabase();
  const under: StoreUnderTest = {
    kind: 'postgres',
    config: () => ({ 'store.kind': 'postgres', 'store.url': database.url ?? '' }),
    environment: () => ({}),
    available: () => database.url !== undefined,
  };
  const folders = [temporaryFolder(), temporaryFolder()] as const;
  let [a, b] = [] as unknown as [TestStore, TestStore];
  let workspace: WorkspaceId;
  beforeAll(async () => {
    if (!under.available()) return;
    // At the same moment, on an empty database: both find it brought to the newest schema.
    [a, b] = await Promise.all([openTestStore(under, folders[0]), openTestStore(under, folders[1])]);
    workspace = await addWorkspace(a, 'shared');
  });
  afterAll(() => Promise.all([a?.close(), b?.close()]));

  const read = async (key: string): Promise<unknown> =>
    (await a.store.units.read((scope) => a.store.governance.load(scope))).settings.get(key);

  it('[STORE-08] makes units of one workspace take turns, so that numbers have no gaps and none is lost', async () => {
    const add = (test: TestStore): Promise<number> =>
      test.store.units.write({ workspace }, async (tx) => {
        const { settings } = await test.store.governance.load(tx);
        const before = Number(settings.get('turns') ?? 0);
        await test.store.governance.putSetting(tx, 'turns', before + 1);
        return test.store.events.append(tx, workspace, actor, 1, [event, event]);
      });
    const firsts = await Promise.all(Array.from({ length: 80 }, (_, i) => add(i % 2 === 0 ? a : b)));
    expect(firsts.toSorted((x, y) => x - y)).toEqual(Array.from({ length: 80 }, (_, i) => 2 * i + 1));
    expect(await read('turns')).toBe(80);
    const events = await b.store.units.read((scope) =>
      b.store.events.ofWorkspace(scope, workspace, 1_000, 0),
    );
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 160 }, (_, i) => i + 1));
  });

  it('[STORE-08] makes units of no workspace take turns as well', async () => {
    const add = (test: TestStore): Promise<void> =>
      test.store.units.write({}, async (tx) => {
        const { settings } = await test.store.governance.load(tx);
        await test.store.governance.putSetting(
          tx,
          'global turns',
          Number(settings.get('global turns') ?? 0) + 1,
        );
      });
    await Promise.all(Array.from({ length: 60 }, (_, i) => add(i % 2 === 0 ? a : b)));
    expect(await read('global turns')).toBe(60);
  });

  it('[STORE-09] runs the unit that lost a deadlock again, and each effect is there once', async () => {
    const crossing = meeting();
    let runs = 0;
    const add = async (test: TestStore, tx: WriteTx): Promise<void> => {
      runs += 1;
      const { settings } = await test.store.governance.load(tx);
      await crossing.arrive();
      await test.store.workspaces.setOpened(tx, workspace, runs);
      await test.store.governance.putSetting(tx, 'crossed', Number(settings.get('crossed') ?? 0) + 1);
      await test.store.events.append(tx, workspace, actor, 1, [event]);
    };
    const before = await a.store.units.read((scope) =>
      a.store.events.ofWorkspace(scope, workspace, 1_000, 0),
    );
    // One holds the workspace and wants the settings, the other holds the settings and wants the workspace.
    await Promise.all([
      a.store.units.write({ workspace }, (tx) => add(a, tx)),
      b.store.units.write({}, (tx) => add(b, tx)),
    ]);
    expect(runs).toBeGreaterThan(2);
    const after = await a.store.units.read((scope) => a.store.events.ofWorkspace(scope, workspace, 1_000, 0));
    expect(after.length - before.length).toBe(2);
  });

  it('[STORE-09] gives a unit up after five attempts, and its neighbour in the batch with it', async () => {
    const passing = Object.assign(new Error('could not serialize access'), { code: '40001' });
    let attempts = 0;
    const doomed = a.store.units.write({}, async (tx) => {
      attempts += 1;
      await a.store.governance.putSetting(tx, 'doomed', attempts);
      throw passing;
    });
    await expect(doomed).rejects.toMatchObject({ code: 'unavailable' });
    expect(attempts).toBe(5);
    expect(await read('doomed')).toBeUndefined();
    a.clock.pass(1_000);
    a.store.audit.reserve();
    await a.store.units.write({}, (tx) => a.store.governance.putSetting(tx, 'afterwards', 1));
    expect(await read('afterwards')).toBe(1);
  });

  it('[STORE-09] lands a batch whose second attempt goes through, each unit once', async () => {
    const passing = Object.assign(new Error('could not serialize access'), { code: '40001' });
    let attempts = 0;
    const units = [
      a.store.units.write({}, async (tx) => {
        const { settings } = await a.store.governance.load(tx);
        await a.store.governance.putSetting(tx, 'retried', Number(settings.get('retried') ?? 0) + 1);
      }),
      a.store.units.write({}, async (tx) => {
        attempts += 1;
        await a.store.governance.putSetting(tx, 'second attempt', attempts);
        if (attempts === 1) throw passing;
      }),
    ];
    await Promise.all(units);
    expect([await read('retried'), await read('second attempt')]).toEqual([1, 2]);
  });
});
