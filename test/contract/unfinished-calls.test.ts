/** Calls that began and have no end, as they are looked for at a start. */
import { afterEach, expect, it } from 'vitest';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { entryOf, openTestStore, type TestStore } from '../support/test-store.ts';

onEachStore('calls without an end', (under) => {
  let test: TestStore | undefined;
  afterEach(() => test?.close());

  const append = (
    call_id: string,
    phase: 'started' | 'finished' | 'single',
    created_at: number,
    kind = 'tool',
  ) => test?.store.audit.append(entryOf({ call_id, phase, created_at, kind: kind as 'tool' }));
  const found = async (withinMs: number): Promise<readonly string[]> => {
    const { store, keys } = test as TestStore;
    const records = await store.units.read((scope) =>
      store.auditReader.unfinished(scope, keys.writer, withinMs),
    );
    return records.map(({ call_id }) => call_id);
  };

  it('[LINE-03] are found from the last record back to the last start, and no further than calls last', async () => {
    test = await openTestStore(under, temporaryFolder());
    expect(await found(1_000)).toEqual([]);
    await append('ancient', 'started', 1);
    for (let i = 0; i < 5_100; i += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, more) => append(`single ${i + more}`, 'single', 10_000)),
      );
    await append('long', 'started', 99_000);
    await append('done', 'started', 99_500);
    await append('short', 'started', 99_600);
    await append('done', 'finished', 100_000);
    expect(await found(1_000)).toEqual(['long', 'short']);
    expect(await found(1_000_000)).toEqual(['ancient', 'long', 'short']);
    await append('long', 'finished', 100_100);
    await append('start', 'single', 100_200, 'writer_started');
    await append('late', 'started', 100_300);
    expect(await found(1_000_000)).toEqual(['short', 'late']);
  });

  it('[LINE-03] of another writer are its own affair', async () => {
    test = await openTestStore(under, temporaryFolder());
    await append('mine', 'started', 1);
    const { store } = test;
    expect(await store.units.read((scope) => store.auditReader.unfinished(scope, 'other', 1_000))).toEqual(
      [],
    );
  });
});
