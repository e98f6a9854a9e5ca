/** The vector store: vectors stay with the text they were made from, and what is missing is known. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageVectors } from '../../src/domain/workspace/ports/vector-store.ts';
import type { Store } from '../../src/drivers/store/store.ts';
import type { BatchId, PageId, PrincipalId, WorkspaceId } from '../../src/kernel/ids.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const workspace = 'w-one' as WorkspaceId;
const other = 'w-two' as WorkspaceId;
const MODEL = 'm/1';

onEachStore('the vector store', (under) => {
  let test: TestStore;
  let store: Store;

  beforeAll(async () => {
    if (!under.available()) return;
    test = await openTestStore(under, temporaryFolder());
    store = test.store;
    await store.units.write({}, async (tx) => {
      for (const id of [workspace, other])
        await store.workspaces.insert(tx, { id, name: id, createdAt: 1, openedAt: 1 });
    });
    for (const [i, title] of ['One', 'Two', 'Three'].entries()) await addPage(title, i);
    await addPage('Elsewhere', 9, other);
    await store.units.write({}, async (tx) => {
      for (const id of [workspace, other])
        await store.vectors.setProgress(tx, id, { model: MODEL, sequence: 0 });
    });
  });
  afterAll(() => test?.close());

  const idOf = (title: string): PageId => `page-${title}` as PageId;
  async function addPage(title: string, updatedAt: number, at = workspace): Promise<void> {
    await store.units.write({ workspace: at }, async (tx) => {
      await store.pages.insert(tx, {
        id: idOf(title),
        workspace: at,
        parent: null,
        slug: title,
        title,
        icon: null,
        position: title,
        properties: {},
        tags: [],
        origin: 'authored',
        lifecycle: 'canonical',
        version: 'v1',
        content: title,
        words: 1,
        createdAt: 1,
        createdBy: 'someone' as PrincipalId,
        updatedAt,
        updatedBy: 'someone' as PrincipalId,
        trashBatch: null,
      });
      await store.events.append(tx, at, ACTOR, updatedAt, [
        { kind: 'page_created', page: idOf(title), beforeVersion: null, afterVersion: 'v1', details: {} },
      ]);
    });
  }
  const vectorsOf = (title: string, more: Partial<PageVectors> = {}): PageVectors => ({
    page: idOf(title),
    model: MODEL,
    version: 'v1',
    title,
    places: [
      { start: 0, end: 2 },
      { start: 2, end: 3 },
    ],
    vectors: new Uint8Array([1, 2, 250, 0]),
    ...more,
  });
  const put = (vectors: PageVectors, at = workspace): Promise<boolean> =>
    store.units.write({ workspace: at }, (tx) => store.vectors.put(tx, at, vectors));
  const pending = (after = 0, model = MODEL): Promise<readonly PageId[]> =>
    store.units.read((scope) => store.vectors.pending(scope, workspace, model, after, 10));

  describe('[SEM-05]', () => {
    it('lists what has no vectors, newest first, or of what changed after an event', async () => {
      expect(await pending()).toEqual(['Three', 'Two', 'One'].map(idOf));
      expect(await pending(2)).toEqual([idOf('Three')]);
      const two = await store.units.read((scope) => store.vectors.pending(scope, workspace, MODEL, 0, 2));
      expect(two).toHaveLength(2);
    });

    it('keeps vectors of the page as it is, and no others', async () => {
      expect(await put(vectorsOf('One', { version: 'v0' }))).toBe(false);
      expect(await put(vectorsOf('One', { title: 'Uno' }))).toBe(false);
      expect(await put(vectorsOf('Missing'))).toBe(false);
      expect(await put(vectorsOf('Elsewhere'))).toBe(false);
      expect(await put(vectorsOf('One'))).toBe(true);
      expect(await pending()).toEqual(['Three', 'Two'].map(idOf));
      expect(await pending(0, 'm/2')).toHaveLength(3);
      const places = await store.units.read((scope) =>
        store.vectors.places(scope, [idOf('One'), idOf('Two')]),
      );
      expect([...places]).toEqual([[idOf('One'), vectorsOf('One').places]]);
    });

    it('hands over what came since, each page as it was put last', async () => {
      const since = (stamp: number, model = MODEL) =>
        store.units.read((scope) => store.vectors.since(scope, workspace, model, stamp, 10));
      await put(vectorsOf('Two'));
      await put(vectorsOf('One', { vectors: new Uint8Array([9]) }));
      await put(vectorsOf('Elsewhere', {}), other);
      const all = await since(0);
      expect(all.map(({ page, vectors }) => [page, [...vectors]])).toEqual([
        [idOf('Two'), [1, 2, 250, 0]],
        [idOf('One'), [9]],
      ]);
      expect((await since(all[0]?.stamp ?? 0)).map(({ page }) => page)).toEqual([idOf('One')]);
      expect(await since(0, 'm/2')).toEqual([]);
    });

    it('counts what is up to date, and lists what is not', async () => {
      const counts = () => store.units.read((scope) => store.vectors.counts(scope, workspace, MODEL));
      expect(await counts()).toEqual({ pages: 3, indexed: 2 });
      await store.units.write({ workspace }, (tx) => store.pages.update(tx, idOf('One'), { version: 'v2' }));
      await store.units.write({ workspace }, (tx) => store.pages.update(tx, idOf('Two'), { title: 'Zwei' }));
      expect(await counts()).toEqual({ pages: 3, indexed: 0 });
      expect(await pending()).toEqual(['Three', 'Two', 'One'].map(idOf));
      await store.units.write({ workspace }, (tx) =>
        store.pages.update(tx, idOf('Three'), { trashBatch: 'b' as BatchId }),
      );
      expect(await counts()).toEqual({ pages: 2, indexed: 0 });
      expect(await pending()).toEqual(['Two', 'One'].map(idOf));
    });

    it('forgets on request without ever giving a stamp again', async () => {
      const newest = async (): Promise<number> => {
        const all = await store.units.read((scope) => store.vectors.since(scope, workspace, MODEL, 0, 10));
        return Math.max(0, ...all.map(({ stamp }) => stamp));
      };
      const before = await newest();
      await store.units.write({ workspace }, (tx) => store.vectors.clear(tx, workspace));
      expect(await newest()).toBe(0);
      await put(vectorsOf('One', { version: 'v2' }));
      expect(await newest()).toBeGreaterThan(before);
      const elsewhere = await store.units.read((scope) => store.vectors.since(scope, other, MODEL, 0, 10));
      expect(elsewhere).toHaveLength(1);
    });

    it('remembers how far a workspace is', async () => {
      const progress = () => store.units.read((scope) => store.vectors.progress(scope, workspace));
      await store.units.write({ workspace }, (tx) =>
        store.vectors.setProgress(tx, workspace, { model: 'm/2', sequence: 7 }),
      );
      expect(await progress()).toEqual({ model: 'm/2', sequence: 7 });
      const none = await store.units.read((scope) => store.vectors.progress(scope, 'w-no' as WorkspaceId));
      expect(none).toBeUndefined();
    });
  });
});

const ACTOR = {
  call: 'c',
  run: 'r',
  principal: 'p',
  principalName: 'P',
  tool: 't',
  origin: 'authored',
} as const;
