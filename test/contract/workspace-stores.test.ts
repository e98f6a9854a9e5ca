/** Workspaces, pages, documents, links, events and the trash: the same answers in the same order from every store. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameKey } from '../../src/domain/workspace/names.ts';
import type { Page } from '../../src/domain/workspace/page.ts';
import type { DocumentUpdate } from '../../src/domain/workspace/ports/document-store.ts';
import type { EventActor, NewEvent } from '../../src/domain/workspace/ports/event-log.ts';
import type { LinkEntry } from '../../src/domain/workspace/ports/link-store.ts';
import type { BatchId, BlockId, PageId, PrincipalId, WorkspaceId } from '../../src/kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../src/kernel/ports/unit-of-work.ts';
import { onEachStore } from '../support/each-store.ts';
import { randomFor } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addWorkspace, openTestStore, type TestStore } from '../support/test-store.ts';

onEachStore('the stores of a workspace', (under) => {
  let test: TestStore;
  let [workspace, other] = ['' as WorkspaceId, '' as WorkspaceId];
  beforeAll(async () => {
    if (!under.available()) return;
    test = await openTestStore(under, temporaryFolder());
    workspace = await addWorkspace(test, 'First');
    other = await addWorkspace(test, 'Second');
  });
  afterAll(() => test?.close());

  const write = <T>(unit: (tx: WriteTx) => Promise<T>): Promise<T> =>
    test.store.units.write({ workspace }, unit);
  const read = <T>(work: (scope: ReadScope) => Promise<T>): Promise<T> => test.store.units.read(work);

  let number = 0;
  const pageOf = (given: Partial<Page> = {}): Page => {
    number += 1;
    return {
      id: test.ids.next<PageId>(),
      workspace,
      parent: null,
      slug: `page-${number}`,
      title: `Page ${number}`,
      icon: null,
      position: 'a0',
      properties: {},
      tags: [],
      origin: 'authored',
      lifecycle: 'canonical',
      version: 'v',
      content: '',
      words: 0,
      createdAt: 1,
      createdBy: 'a',
      updatedAt: 2,
      updatedBy: 'b',
      trashBatch: null,
      ...given,
    };
  };
  const add = async (given: Partial<Page> = {}): Promise<Page> => {
    const page = pageOf(given);
    await write((tx) => test.store.pages.insert(tx, page));
    return page;
  };
  const idsOf = (pages: readonly { readonly id: PageId }[]): PageId[] => pages.map(({ id }) => id);

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

  async function trashBatch(pages: readonly Page[], at = 100): Promise<BatchId> {
    const id = test.ids.next<BatchId>();
    const batch = {
      id,
      workspace,
      root: pages[0]?.id as PageId,
      at,
      principal: 'p' as PrincipalId,
      principalName: 'n',
      restoredAt: null,
    };
    const items = pages.map(({ id: page, parent, position, slug }) => ({ page, parent, position, slug }));
    await write((tx) => test.store.trash.add(tx, batch, items));
    return id;
  }
});
