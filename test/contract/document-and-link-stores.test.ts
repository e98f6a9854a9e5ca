/** The stores that keep documents and links, on both databases. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../src/domain/workspace/page.ts';
import type { DocumentUpdate } from '../../src/domain/workspace/ports/document-store.ts';
import type { LinkEntry } from '../../src/domain/workspace/ports/link-store.ts';
import type { BlockId, PageId, WorkspaceId } from '../../src/kernel/ids.ts';
import { onEachStore } from '../support/each-store.ts';
import type { TestStore } from '../support/test-store.ts';
import { WorkspaceStores } from '../support/workspace-stores.ts';

onEachStore('the stores of documents and links', (under) => {
  const stores = new WorkspaceStores(under);
  const { write, read, add, trashBatch } = stores;
  let test: TestStore;
  let workspace: WorkspaceId;
  let other: WorkspaceId;
  beforeAll(() => {
    if (under.available()) ({ test, workspace, other } = stores.opened);
  });

  describe('documents', () => {
    const block = (id: string, start: number, end: number) => ({
      id: id as BlockId,
      kind: 'paragraph',
      start,
      end,
      digest: 'd',
    });

    it('[STORE-17] come back byte by byte, snapshot and updates in order, until they are made one', async () => {
      const { id } = await add();
      const bytes = (seed: number, length: number): Uint8Array =>
        Uint8Array.from({ length }, (_, i) => (i * seed) % 256);
      const load = () => read((scope) => test.store.documents.load(scope, id));
      const append = async (update: DocumentUpdate) =>
        (await write((tx) => test.store.documents.append(tx, [update]))).get(id);
      await write((tx) => test.store.documents.create(tx, id, bytes(7, 70_000), [block('x', 0, 1)]));
      expect(await load()).toEqual({ snapshot: expect.anything(), updates: [] });
      expect(Buffer.compare((await load()).snapshot, bytes(7, 70_000))).toBe(0);
      const counts = [];
      for (const seed of [3, 5, 11])
        counts.push(await append({ page: id, update: bytes(seed, 10), blocks: [block('y', 0, seed)] }));
      expect(counts).toEqual([1, 2, 3]);
      const { updates } = await load();
      expect(updates.map((update) => [...update])).toEqual([3, 5, 11].map((seed) => [...bytes(seed, 10)]));
      expect(await read((scope) => test.store.documents.blocks(scope, id))).toEqual([block('y', 0, 11)]);
      await write((tx) => test.store.documents.compact(tx, id, bytes(13, 5)));
      expect([...(await load()).snapshot]).toEqual([...bytes(13, 5)]);
      expect((await load()).updates).toEqual([]);
      expect(await append({ page: id, update: bytes(1, 1), blocks: [] })).toBe(1);
    });

    it('[STORE-17] say so when a page has none', async () => {
      const { id } = await add();
      await expect(read((scope) => test.store.documents.load(scope, id))).rejects.toMatchObject({
        code: 'internal',
      });
      expect(await read((scope) => test.store.documents.blocks(scope, id))).toEqual([]);
    });
  });

  describe('links', () => {
    const linkOf = (source: PageId, ordinal: number, given: Partial<LinkEntry> = {}): LinkEntry => ({
      source,
      ordinal,
      form: 'wiki',
      embed: false,
      start: ordinal * 10,
      end: ordinal * 10 + 5,
      targetStart: ordinal * 10 + 2,
      targetEnd: ordinal * 10 + 3,
      path: 'x',
      fragment: null,
      display: null,
      targetKey: 'x',
      status: 'unresolved',
      target: null,
      ...given,
    });

    it('[STORE-18] come back field by field and are replaced as a whole, however many there are', async () => {
      const { id } = await add();
      const odd = linkOf(id, 0, {
        form: 'markdown',
        embed: true,
        path: 'a/b "c" 漢字',
        fragment: 'f',
        display: 'd',
        status: 'external',
      });
      await write((tx) => test.store.links.replace(tx, workspace, [id], [odd]));
      expect(await read((scope) => test.store.links.of(scope, id))).toEqual([odd]);
      const many = Array.from({ length: 1_700 }, (_, i) => linkOf(id, i));
      await write((tx) => test.store.links.replace(tx, workspace, [id], many));
      expect(await read((scope) => test.store.links.of(scope, id))).toEqual(many);
      await write((tx) => test.store.links.replace(tx, workspace, [id], []));
      expect(await read((scope) => test.store.links.of(scope, id))).toEqual([]);
    });

    it('[STORE-18] lead back to their sources, in pages, from live ones only', async () => {
      const [target, ...sources] = [await add(), await add(), await add(), await add()];
      const links = sources.flatMap(({ id }) =>
        [0, 1, 2].map((ordinal) =>
          linkOf(id, ordinal, { status: 'resolved', target: target.id, targetKey: 'back' }),
        ),
      );
      for (const [source, own] of Map.groupBy(links, (link) => link.source))
        await write((tx) => test.store.links.replace(tx, workspace, [source], own));
      const expected = links.toSorted((x, y) =>
        x.source === y.source ? x.ordinal - y.ordinal : x.source < y.source ? -1 : 1,
      );
      const paged: LinkEntry[] = [];
      for (;;) {
        const page = await read((scope) => test.store.links.to(scope, target.id, 2, paged.at(-1)));
        if (page.length === 0) break;
        paged.push(...page);
      }
      expect(paged).toEqual(expected);
      const gone = sources[1] as Page;
      const batch = await trashBatch([gone]);
      await write((tx) => test.store.pages.update(tx, gone.id, { trashBatch: batch }));
      const left = expected.filter((link) => link.source !== gone.id);
      expect(await read((scope) => test.store.links.to(scope, target.id, 100))).toEqual(left);
      expect(await read((scope) => test.store.links.countTo(scope, target.id))).toBe(6);
      expect(await read((scope) => test.store.links.byKeys(scope, workspace, ['none', 'back']))).toEqual(
        left,
      );
      expect(await read((scope) => test.store.links.byKeys(scope, other, ['back']))).toEqual([]);
      const [first] = left;
      if (first)
        await write((tx) =>
          test.store.links.resolve(tx, [{ link: first, status: 'trashed', target: gone.id }]),
        );
      expect((await read((scope) => test.store.links.of(scope, first?.source as PageId)))[0]).toMatchObject({
        status: 'trashed',
        target: gone.id,
      });
    });
  });
});
