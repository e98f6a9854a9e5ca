/** The database goes away under a running gateway and comes back: everybody is told, nobody waits, nothing is repeated. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreUnderTest } from '../support/each-store.ts';
import { useFreshDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { entryOf, openTestStore, type TestStore } from '../support/test-store.ts';

/** A way to the server that can be cut and mended. */
async function openWay(to: URL): Promise<{ url: string; cut(): void; mend(): void; close(): void }> {
  const sockets = new Set<Socket>();
  let broken = false;
  const way: Server = createServer((near) => {
    if (broken) return void near.destroy();
    const far = connect(Number(to.port), to.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const url = new URL(to.href);
  url.hostname = '127.0.0.1';
  url.port = String((way.address() as AddressInfo).port);
  const cut = (): void => {
    broken = true;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: url.href,
    cut,
    mend() {
      broken = false;
    },
    close() {
      cut();
      way.close();
    },
  };
}

describe('a PostgreSQL server that goes away', () => {
  const database = useFreshDatabase();
  let way: Awaited<ReturnType<typeof openWay>> | undefined;
  let test: TestStore;
  beforeAll(async () => {
    if (database.url === undefined) return;
    way = await openWay(new URL(database.url));
    const under: StoreUnderTest = {
      kind: 'postgres',
      config: () => ({ 'store.kind': 'postgres', 'store.url': way?.url ?? '' }),
      environment: () => ({}),
      available: () => true,
    };
    test = await openTestStore(under, temporaryFolder());
  });
  afterAll(async () => {
    way?.mend();
    await test?.close();
    way?.close();
  });

  it('[STORE-29] refuses records and units at once, tells it once for each, and goes on when it is back', async () => {
    const { store, clock, logged } = test;
    await store.audit.append(entryOf());
    way?.cut();
    const failures = (): number => logged.filter((event) => event === 'commit_failed').length;
    for (let round = 1; round <= 3; round += 1) {
      await expect(store.audit.append(entryOf())).rejects.toMatchObject({ code: 'unavailable' });
      const unit = store.units.write({}, (tx) => store.governance.putSetting(tx, 'lost', round));
      await expect(unit).rejects.toMatchObject({ code: 'unavailable' });
      expect(failures()).toBeLessThanOrEqual(2 * round);
    }
    expect(() => store.audit.reserve()).toThrow(expect.objectContaining({ code: 'unavailable' }));
    way?.mend();
    clock.pass(1_000);
    store.audit.reserve();
    await store.audit.append(entryOf());
    await store.units.write({}, (tx) => store.governance.putSetting(tx, 'found', 1));
    const { settings } = await store.units.read((scope) => store.governance.load(scope));
    expect([settings.get('lost'), settings.get('found')]).toEqual([undefined, 1]);
    expect(await test.verify()).toMatchObject({ faults: [] });
  });
});
