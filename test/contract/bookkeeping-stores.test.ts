/** What is kept beside the audit log: results for retries, and what each run has read. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KeptResult, ResultKey } from '../../src/domain/governance/kept-results.ts';
import type { PrincipalId, RunId } from '../../src/kernel/ids.ts';
import type { EntityVersion } from '../../src/kernel/submission.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { entryOf, openTestStore, type TestStore } from '../support/test-store.ts';

const key = (given: Partial<ResultKey> = {}): ResultKey => ({
  principal: 'owner' as PrincipalId,
  tool: 'create_page',
  key: 'k',
  ...given,
});

onEachStore('kept results and the read trail', (under) => {
  let test: TestStore;
  beforeAll(async () => {
    if (under.available()) test = await openTestStore(under, temporaryFolder());
  });
  afterAll(() => test?.close());

  const find = (wanted: ResultKey): Promise<KeptResult | undefined> =>
    test.store.units.read((scope) => test.store.results.find(scope, wanted));
  const keep = (under_: ResultKey, result: KeptResult, expired = 0): Promise<void> =>
    test.store.units.write({}, (tx) => test.store.results.keep(tx, under_, result, expired));

  it('[STORE-13] gives a result back under its principal, tool and key alone', async () => {
    const result = { inputDigest: 'd', result: '{"a":"漢字"}', at: 5 };
    await keep(key(), result);
    expect(await find(key())).toEqual(result);
    for (const other of [{ principal: 'x' as PrincipalId }, { tool: 'x' }, { key: 'x' }, { key: 'K' }])
      expect(await find(key(other))).toBeUndefined();
  });

  it('[STORE-13] replaces a result and drops those that expired', async () => {
    await keep(key({ key: 'old' }), { inputDigest: 'd', result: '1', at: 10 });
    await keep(key({ key: 'edge' }), { inputDigest: 'd', result: '1', at: 20 });
    await keep(key(), { inputDigest: 'e', result: '2', at: 30 }, 20);
    expect(await find(key())).toEqual({ inputDigest: 'e', result: '2', at: 30 });
    expect(await find(key({ key: 'old' }))).toBeUndefined();
    expect(await find(key({ key: 'edge' }))).toBeDefined();
  });

  it('[STORE-13] keeps a result with its unit or not at all', async () => {
    const failing = test.store.units.write({}, async (tx) => {
      await test.store.results.keep(tx, key({ key: 'gone' }), { inputDigest: 'd', result: '1', at: 50 }, 0);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await find(key({ key: 'gone' }))).toBeUndefined();
  });

  const entity = (id: string, version: string): EntityVersion => ({ kind: 'page', id, version });
  const trail = (run: string): Promise<readonly EntityVersion[]> =>
    test.store.units.read((scope) => test.store.trail.ofRun(scope, run as RunId));
  const note = (run: string, at: number, ...entities: EntityVersion[]): Promise<void> =>
    test.store.audit.append(entryOf(), { run, at, entities });

  it('[STORE-14] knows the newest version a run has read of each entity, in the order first read', async () => {
    await note('run', 1, entity('b', 'v1'), entity('c', 'v1'));
    await note('run', 2, entity('a', 'v1'));
    await note('run', 3, entity('b', 'v2'));
    await note('run', 3, entity('b', 'v2'));
    await note('other run', 4, entity('z', 'v1'));
    expect(await trail('run')).toEqual([entity('b', 'v2'), entity('c', 'v1'), entity('a', 'v1')]);
    expect(await trail('other run')).toEqual([entity('z', 'v1')]);
    expect(await trail('no run')).toEqual([]);
  });

  it('[STORE-14] notes what was read with the record of the call that read it, or neither', async () => {
    const { store } = test;
    const unit = (run: string, fails: boolean): Promise<void> =>
      store.units.write({}, async (tx) => {
        const call = entryOf({ call_id: `trail of ${run}` });
        await store.audit.appendWith(tx, call, { run, at: 1, entities: [entity('p', 'v')] });
        if (fails) throw new Error('rolled back');
      });
    await unit('lands', false);
    await expect(unit('fails', true)).rejects.toThrow('rolled back');
    expect([await trail('lands'), await trail('fails')]).toEqual([[entity('p', 'v')], []]);
  });

  it('[STORE-14] takes a long list of entities, and many notes at once', async () => {
    const many = Array.from({ length: 1_500 }, (_, i) => entity(`page-${String(i).padStart(5, '0')}`, 'v'));
    await Promise.all([
      note('long', 1, ...many),
      ...many.slice(0, 300).map((one, i) => note('wide', i, one)),
    ]);
    expect(await trail('long')).toEqual(many);
    expect(await trail('wide')).toEqual(many.slice(0, 300));
  });
});
