/** The stores that keep events and the trash, on both databases. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { EventActor, NewEvent } from '../../src/domain/workspace/ports/event-log.ts';
import type { BatchId, PageId, WorkspaceId } from '../../src/kernel/ids.ts';
import { onEachStore } from '../support/each-store.ts';
import type { TestStore } from '../support/test-store.ts';
import { idsOf, WorkspaceStores } from '../support/workspace-stores.ts';

onEachStore('the stores of events and the trash', (under) => {
  const stores = new WorkspaceStores(under);
  const { write, read, pageOf, add, trashBatch } = stores;
  let test: TestStore;
  let workspace: WorkspaceId;
  let other: WorkspaceId;
  beforeAll(() => {
    if (under.available()) ({ test, workspace, other } = stores.opened);
  });

  describe('events', () => {
    const actor: EventActor = {
      call: 'c',
      run: 'r',
      principal: 'p',
      principalName: 'n',
      tool: 't',
      origin: 'imported',
    };
    const eventOf = (page: PageId | null, given: Partial<NewEvent> = {}): NewEvent => ({
      kind: 'content_changed',
      page,
      beforeVersion: 'v1',
      afterVersion: 'v2',
      details: { text: '漢字', list: [1] },
      ...given,
    });

    it('[STORE-19] are numbered without a gap within their workspace, all of a change under its first', async () => {
      const { id } = await add();
      const first = await write((tx) =>
        test.store.events.append(tx, workspace, actor, 9, [eventOf(id), eventOf(null)]),
      );
      const third = await write((tx) => test.store.events.append(tx, workspace, actor, 9, [eventOf(id)]));
      const elsewhere = await write((tx) => test.store.events.append(tx, other, actor, 9, [eventOf(null)]));
      expect([first, third, elsewhere]).toEqual([1, 3, 1]);
      expect(await read((scope) => test.store.events.newest(scope, workspace))).toBe(3);
      const events = await read((scope) => test.store.events.ofWorkspace(scope, workspace, 100, 0));
      expect(events.map(({ sequence, change }) => [sequence, change])).toEqual([
        [1, 1],
        [2, 1],
        [3, 3],
      ]);
      expect(events[0]).toEqual({ ...eventOf(id), ...actor, sequence: 1, change: 1, at: 9 });
    });

    it('[STORE-19] of a unit that fails leave no gap', async () => {
      const failing = write(async (tx) => {
        await test.store.events.append(tx, workspace, actor, 9, [eventOf(null), eventOf(null)]);
        throw new Error('rolled back');
      });
      await expect(failing).rejects.toThrow('rolled back');
      expect(await write((tx) => test.store.events.append(tx, workspace, actor, 9, [eventOf(null)]))).toBe(4);
    });

    it('[STORE-19] of one page come newest first in pages, with its versions and sources', async () => {
      const [page, source] = [await add(), await add()];
      for (let i = 0; i < 7; i += 1) {
        const given = {
          afterVersion: `after-${i}`,
          ...(i === 4 && { sources: [{ kind: 'page' as const, id: source.id, version: 's' }] }),
        };
        await write((tx) => test.store.events.append(tx, workspace, actor, i, [eventOf(page.id, given)]));
      }
      const firstPage = await read((scope) => test.store.events.ofPage(scope, page.id, 4));
      const rest = await read((scope) =>
        test.store.events.ofPage(scope, page.id, 4, firstPage.at(-1)?.sequence),
      );
      expect([...firstPage, ...rest].map(({ at }) => at)).toEqual([6, 5, 4, 3, 2, 1, 0]);
      const known = (id: PageId, version: string): Promise<boolean> =>
        read((scope) => test.store.events.hasVersion(scope, id, version));
      expect([
        await known(page.id, 'after-3'),
        await known(page.id, 'v1'),
        await known(source.id, 'after-3'),
      ]).toEqual([true, false, false]);
      const sources = await read((scope) => test.store.events.sourcesOf(scope, page.id));
      expect(sources).toEqual([{ kind: 'page', id: source.id, version: 's' }]);
      expect(await read((scope) => test.store.events.sourcesOf(scope, source.id))).toEqual([]);
    });

    it('[STORE-19] may be thousands in one change, made from thousands of sources', async () => {
      const page = await add();
      const sources = Array.from({ length: 7_000 }, (_, i) => ({
        kind: 'page' as const,
        id: `s-${i}`,
        version: 'v',
      }));
      const many = Array.from({ length: 3_000 }, () => eventOf(null));
      const change = await write((tx) =>
        test.store.events.append(tx, workspace, actor, 1, [eventOf(page.id, { sources }), ...many]),
      );
      const events = await read((scope) =>
        test.store.events.ofWorkspace(scope, workspace, 10_000, change - 1),
      );
      expect(events.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 3_001 }, (_, i) => change + i),
      );
      expect(await read((scope) => test.store.events.sourcesOf(scope, page.id))).toHaveLength(7_000);
    });
  });

  describe('the trash', () => {
    it('[STORE-20] lists what was not restored, newest first, and remembers where everything was', async () => {
      const parent = await add();
      const page = await add({ parent: parent.id, position: 'aV', slug: 'was-here' });
      const before = await read((scope) => test.store.trash.list(scope, workspace, 1_000));
      const batches = [
        await trashBatch([page], 500),
        await trashBatch([page], 400),
        await trashBatch([page], 400),
      ];
      const listed = (await read((scope) => test.store.trash.list(scope, workspace, 1_000))).filter(
        ({ id }) => !before.some((old) => old.id === id),
      );
      const [newest, ...tied] = batches;
      expect(idsOf(listed as never)).toEqual([newest, ...tied.toSorted().toReversed()]);
      const [first] = listed;
      const after = await read((scope) => test.store.trash.list(scope, workspace, 1, first));
      expect(after[0]?.id).toBe(listed[1]?.id);
      expect(await read((scope) => test.store.trash.items(scope, newest as BatchId))).toEqual([
        { page: page.id, parent: parent.id, position: 'aV', slug: 'was-here' },
      ]);
      await write((tx) => test.store.trash.markRestored(tx, newest as BatchId, 900));
      expect(await read((scope) => test.store.trash.find(scope, workspace, newest as BatchId))).toMatchObject(
        {
          root: page.id,
          at: 500,
          restoredAt: 900,
          principal: 'p',
          principalName: 'n',
        },
      );
      const left = await read((scope) => test.store.trash.list(scope, workspace, 1_000));
      expect(left.some(({ id }) => id === newest)).toBe(false);
      expect(await read((scope) => test.store.trash.find(scope, other, newest as BatchId))).toBeUndefined();
    });

    it('[STORE-20] takes a batch of thousands', async () => {
      const pages = Array.from({ length: 1_200 }, () => pageOf());
      await write(async (tx) => {
        for (const page of pages) await test.store.pages.insert(tx, page);
      });
      const batch = await trashBatch(pages);
      expect(await read((scope) => test.store.trash.items(scope, batch))).toHaveLength(1_200);
    });
  });
});
