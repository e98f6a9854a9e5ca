/** The stores that keep workspaces and pages, on both databases. */
import { beforeAll, describe, expect, it } from 'vitest';
import { nameKey } from '../../src/domain/workspace/names.ts';
import type { Page } from '../../src/domain/workspace/page.ts';
import type { LinkEntry } from '../../src/domain/workspace/ports/link-store.ts';
import type { PageId, WorkspaceId } from '../../src/kernel/ids.ts';
import { onEachStore } from '../support/each-store.ts';
import { randomFor } from '../support/random.ts';
import type { TestStore } from '../support/test-store.ts';
import { idsOf, WorkspaceStores } from '../support/workspace-stores.ts';

onEachStore('the stores of workspaces and pages', (under) => {
  const stores = new WorkspaceStores(under);
  const { write, read, add, trashBatch } = stores;
  let test: TestStore;
  let workspace: WorkspaceId;
  let other: WorkspaceId;
  beforeAll(() => {
    if (under.available()) ({ test, workspace, other } = stores.opened);
  });

  describe('workspaces', () => {
    it('[STORE-15] come back in the order of their names, with when they were opened', async () => {
      await write((tx) => test.store.workspaces.setOpened(tx, other, 77));
      const all = await read((scope) => test.store.workspaces.all(scope));
      expect(all.map(({ name, openedAt }) => [name, openedAt])).toEqual([
        ['First', 1],
        ['Second', 77],
      ]);
      await write((tx) => test.store.workspaces.setOpened(tx, other, null));
      expect((await read((scope) => test.store.workspaces.all(scope)))[1]?.openedAt).toBeNull();
    });

    it('[STORE-15] refuse a name that is taken, whatever its case, and the unit may go on', async () => {
      const answer = await write(async (tx) => {
        const twin = { id: 'twin' as WorkspaceId, name: 'FIRST', createdAt: 1, openedAt: null };
        const refused = await test.store.workspaces.insert(tx, twin).catch((error: unknown) => error);
        return [refused, (await test.store.workspaces.all(tx)).length];
      });
      expect(answer).toMatchObject([{ code: 'conflict', details: { reason: 'exists' } }, 2]);
    });
  });

  describe('pages', () => {
    it('[STORE-16] come back field by field, with odd text and large text', async () => {
      const page = await add({
        title: 'Größe "quoted" \\ 漢字 🜁 İ',
        slug: 'größe-漢字',
        icon: '🚀',
        properties: { flag: true, many: ['a', 1, false], nothing: null, number: 1.5 },
        tags: ['area/one', 'Zwei'],
        content: `# Überschrift\r\n\ttab \u2028 ${'x'.repeat(1_000_000)}\n`,
        words: 3,
        createdAt: 1_767_225_600_123,
      });
      expect(await read((scope) => test.store.pages.find(scope, workspace, page.id))).toEqual(page);
      const { content: _, ...header } = page;
      expect(await read((scope) => test.store.pages.headers(scope, workspace, [page.id]))).toEqual([header]);
    });

    it('[STORE-16] take properties with more values than a statement has parameters', async () => {
      const many = Array.from({ length: 20_000 }, (_, i) => `value ${i}`);
      const page = await add({ properties: { many } });
      await write((tx) => test.store.pages.update(tx, page.id, { properties: { many: [...many, 'last'] } }));
      const filter = { tags: [], properties: [{ key: 'many', is: 'equal' as const, value: 'LAST' }] };
      const hits = await read((scope) => test.store.search.browse(scope, workspace, filter, 10));
      expect(hits.map((hit) => hit.page)).toEqual([page.id]);
    });

    it('[STORE-16] take and find names, values and links of any length', async () => {
      // Random, for what can be compressed is no test of an index.
      const random = randomFor('long text');
      const long = Array.from({ length: 20_000 }, () =>
        random.pick([...'abcdefghijklmnopqrstuvwxyz0123456789']),
      ).join('');
      const ligatures = Array.from({ length: 300 }, () => random.pick(['\ufdfa', '\ufdfb', '㍿', 'x'])).join(
        '',
      );
      const page = await add({ title: ligatures, properties: { long, list: ['short', `${long}!`] } });
      const link: LinkEntry = {
        source: page.id,
        ordinal: 0,
        form: 'wiki',
        embed: false,
        start: 0,
        end: 1,
        targetStart: 0,
        targetEnd: 1,
        path: long,
        fragment: long,
        display: long,
        targetKey: long,
        status: 'unresolved',
        target: null,
      };
      await write((tx) => test.store.links.replace(tx, workspace, [page.id], [link]));
      expect(await read((scope) => test.store.links.byKeys(scope, workspace, [long]))).toEqual([link]);
      const named = await read((scope) => test.store.pages.named(scope, workspace, [nameKey(ligatures)]));
      expect(named.map((match) => [match.page.id, match.key])).toEqual([[page.id, nameKey(ligatures)]]);
      const byValue = (key: string, value: string) =>
        read((scope) =>
          test.store.search.browse(
            scope,
            workspace,
            { tags: [], properties: [{ key, is: 'equal', value }] },
            10,
          ),
        );
      for (const [key, value] of [
        ['long', long.toUpperCase()],
        ['list', `${long}!`],
        ['list', 'SHORT'],
      ] as const)
        expect(idsOf((await byValue(key, value)).map((hit) => ({ id: hit.page })))).toEqual([page.id]);
      expect(await byValue('long', `${long}!`)).toEqual([]);
    });

    it('[STORE-16] are found in their own workspace only', async () => {
      const page = await add({ title: 'Secret', slug: 'secret' });
      const found = await read(async (scope) => [
        await test.store.pages.find(scope, other, page.id),
        await test.store.pages.headers(scope, other, [page.id]),
        await test.store.pages.called(scope, other, null, 'secret'),
        await test.store.pages.named(scope, other, ['secret']),
        await test.store.pages.subtree(scope, other, page.id),
      ]);
      expect(found).toEqual([undefined, [], [], [], []]);
    });

    it('[STORE-16] change by a patch in what it names and in nothing else', async () => {
      const page = await add({ tags: ['one'], properties: { key: 'value' }, icon: 'x' });
      const patch = {
        title: 'Changed',
        icon: null,
        tags: [],
        properties: { other: [1, 2] },
        words: 9,
      } as const;
      await write((tx) => test.store.pages.update(tx, page.id, patch));
      await write((tx) => test.store.pages.update(tx, page.id, {}));
      expect(await read((scope) => test.store.pages.find(scope, workspace, page.id))).toEqual({
        ...page,
        ...patch,
      });
      const named = await read((scope) => test.store.pages.named(scope, workspace, [nameKey('CHANGED')]));
      expect(named.map(({ page: { id }, kind }) => [id, kind])).toEqual([[page.id, 'title']]);
    });

    it('[STORE-16] stand in the order of their positions, byte by byte, and are paged without a gap', async () => {
      const random = randomFor('positions');
      const parent = await add();
      const positions = ['Zz', 'a0', 'a0V', 'a1', 'aA', 'aZ', 'aa', 'b00', 'Zy', 'a0a', 'a0Z'];
      const children = [];
      for (const position of random.shuffle(positions))
        children.push(await add({ parent: parent.id, position }));
      // Two with the same position: the id decides.
      children.push(await add({ parent: parent.id, position: 'a1' }));
      const expected = children
        .toSorted((x, y) =>
          x.position === y.position ? (x.id < y.id ? -1 : 1) : x.position < y.position ? -1 : 1,
        )
        .map(({ id }) => id);
      const paged: PageId[] = [];
      let last: Page | undefined;
      for (;;) {
        const page = await read((scope) => test.store.pages.children(scope, workspace, parent.id, 3, last));
        paged.push(...idsOf(page));
        last = page.at(-1) as Page | undefined;
        if (!last) break;
      }
      expect(paged).toEqual(expected);
      const lasts = await read(async (scope) => [
        await test.store.pages.lastChild(scope, workspace, parent.id),
        await test.store.pages.lastChild(scope, workspace, parent.id, expected.at(-1)),
      ]);
      expect(lasts.map((page) => page?.id)).toEqual([expected.at(-1), expected.at(-2)]);
      const counts = await read((scope) =>
        test.store.pages.childCounts(scope, workspace, [parent.id, ...expected]),
      );
      expect(counts).toEqual(new Map([[parent.id, 12]]));
    });

    it('[STORE-16] refuse a second live sibling with the same folded slug, at the root as below a page', async () => {
      const parent = await add();
      for (const place of [null, parent.id]) {
        const first = await add({ parent: place, slug: 'Straße' });
        await expect(add({ parent: place, slug: 'STRASSE' })).rejects.toThrow();
        const batch = await trashBatch([first]);
        await write((tx) => test.store.pages.update(tx, first.id, { trashBatch: batch }));
        await add({ parent: place, slug: 'STRASSE' });
        await expect(
          write((tx) => test.store.pages.update(tx, first.id, { trashBatch: null })),
        ).rejects.toThrow();
      }
    });

    it('[STORE-16] tell which slugs begin alike, without mistaking wildcards', async () => {
      const parent = await add();
      for (const slug of ['a', 'a%', 'a%b', 'a_b', 'ab', 'a-2', 'ä', 'A-3', '🜁', 'a\u{10FFFE}'])
        await add({ parent: parent.id, slug });
      const slugs = (prefix: string): Promise<readonly string[]> =>
        read((scope) => test.store.pages.siblingSlugs(scope, workspace, parent.id, prefix));
      expect((await slugs('a%')).toSorted()).toEqual(['a%', 'a%b']);
      expect((await slugs('a_')).toSorted()).toEqual(['a_b']);
      expect(new Set(await slugs('a-'))).toEqual(new Set(['a-2', 'a-3']));
      expect(await slugs('ä')).toEqual(['ä']);
      expect(await slugs('')).toHaveLength(10);
    });

    it('[STORE-16] answer to their title, slug and aliases, folded, as long as they live', async () => {
      const page = await add({ title: 'Ｆｕｌｌ Width', slug: 'full-width' });
      await write(async (tx) => {
        await test.store.pages.addAlias(tx, page, 'Other Name');
        await test.store.pages.addAlias(tx, page, 'OTHER  name');
        await test.store.pages.addAlias(tx, page, 'Third');
        await test.store.pages.removeAlias(tx, page.id, 'THIRD');
      });
      expect(await read((scope) => test.store.pages.aliases(scope, page.id))).toEqual(['Other Name']);
      const keys = ['full width', 'full-width', 'other name', 'third'];
      const named = () => read((scope) => test.store.pages.named(scope, workspace, keys));
      expect((await named()).map(({ kind, key }) => [kind, key])).toEqual([
        ['title', 'full width'],
        ['slug', 'full-width'],
        ['alias', 'other name'],
      ]);
      const batch = await trashBatch([page]);
      await write((tx) => test.store.pages.update(tx, page.id, { trashBatch: batch }));
      expect(await named()).toEqual([]);
      expect(idsOf(await read((scope) => test.store.pages.trashed(scope, batch)))).toEqual([page.id]);
    });

    it('[STORE-16] know the way to the root and everything below, however deep', async () => {
      const chain = [await add()];
      for (let i = 1; i < 64; i += 1) chain.push(await add({ parent: chain.at(-1)?.id ?? null }));
      const ids = idsOf(chain);
      const last = ids.at(-1) as PageId;
      const ways = await read((scope) => test.store.pages.ways(scope, [last, ids[1] as PageId]));
      expect(idsOf(ways.get(last) ?? [])).toEqual(ids);
      expect(idsOf(ways.get(ids[1] as PageId) ?? [])).toEqual(ids.slice(0, 2));
      const below = await read((scope) => test.store.pages.subtree(scope, workspace, ids[0] as PageId));
      expect(idsOf(below)).toEqual(ids);
    });

    it('[STORE-16] can be asked for by more ids and names than a statement has parameters', async () => {
      const page = await add({ title: 'One of many', slug: 'one-of-many' });
      const absent = Array.from({ length: 40_000 }, (_, i) => `absent-${i}`);
      const headers = await read((scope) =>
        test.store.pages.headers(scope, workspace, [...absent, page.id] as PageId[]),
      );
      expect(idsOf(headers)).toEqual([page.id]);
      const named = await read((scope) =>
        test.store.pages.named(scope, workspace, [...absent, 'one of many']),
      );
      expect(named).toHaveLength(1);
      expect((await read((scope) => test.store.pages.ways(scope, absent as PageId[]))).size).toBe(0);
    });
  });
});
