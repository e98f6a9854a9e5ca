/** Parts of units that are refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SluiceError } from '../../src/kernel/errors.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addWorkspace, openTestStore, type TestStore } from '../support/test-store.ts';

describe('parts of units', () => {
  onEachStore('a part of a unit', (under) => {
    let test: TestStore;
    beforeAll(async () => {
      if (under.available()) test = await openTestStore(under, temporaryFolder());
    });
    afterAll(() => test?.close());

    it('[HIST-15] that is refused leaves nothing, and the unit goes on', async () => {
      if (!under.available()) return;
      const told: string[] = [];
      const first = await addWorkspace(test, 'First');
      const { store, ids } = test;
      const add = (tx: Parameters<Parameters<typeof store.units.write>[1]>[0], name: string) =>
        store.workspaces.insert(tx, { id: ids.next(), name, createdAt: 1, openedAt: 1 });
      await store.units.write({ workspace: first }, async (tx) => {
        await add(tx, 'before');
        const part = tx.attempt(async () => {
          await add(tx, 'inside');
          tx.afterCommit(() => void told.push('inside'));
          await tx.attempt(() => add(tx, 'deeper'));
          throw new SluiceError('conflict', 'no');
        });
        await expect(part).rejects.toMatchObject({ code: 'conflict' });
        await tx.attempt(async () => {
          await add(tx, 'kept');
          tx.afterCommit(() => void told.push('kept'));
        });
      });
      const names = (await store.units.read((scope) => store.workspaces.all(scope))).map(({ name }) => name);
      expect(names.sort()).toEqual(['First', 'before', 'kept']);
      expect(told).toEqual(['kept']);
    });
  });
});
