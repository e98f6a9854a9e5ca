/** The search index: both stores find the same pages in the same order with the same scores. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Page, PropertyValue } from '../../src/domain/workspace/page.ts';
import type { SearchFilter, SearchHit, SearchTerm } from '../../src/domain/workspace/ports/search-index.ts';
import { analyze, pageTokens } from '../../src/domain/workspace/search/analyze.ts';
import {
  type PropertyCondition,
  readCondition,
} from '../../src/domain/workspace/search/property-condition.ts';
import type { BatchId, PageId, PrincipalId, WorkspaceId } from '../../src/kernel/ids.ts';
import type { WriteTx } from '../../src/kernel/ports/unit-of-work.ts';
import type { StoreUnderTest } from '../support/each-store.ts';
import { useFreshDatabase } from '../support/postgres.ts';
import { type Random, randomFor, soaking, times } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const WORDS = [
  ...'the of and a to in is it for on sluice gate water river agent tool page memory budget plan'.split(' '),
  ...'running runs ran quick quickly update_page_content readPage HTTPServer C++ e-mail 3.14 v2.1'.split(' '),
  ...'Größe straße Straße naïve café İstanbul ﬁne Ωmega 東京 東京都 データベース 笔记 노트 โน้ต 🚀 👩‍💻'.split(
    ' ',
  ),
];
const TAGS = ['area', 'area/one', 'area/one/deep', 'areas', 'Zwei', '🚀'];

/** Frequent words often, rare ones seldom, as in any language. */
const wordFrom = (random: Random): string => WORDS[Math.floor(random.next() ** 2 * WORDS.length)] as string;
const text = (random: Random, words: number): string =>
  Array.from({ length: words }, () => wordFrom(random)).join(random.oneIn(5) ? '\n\n' : ' ');

vi.setConfig(soaking ? { testTimeout: 600_000, hookTimeout: 600_000 } : {});

const NO_FILTER: SearchFilter = { tags: [], properties: [] };

describe('the search index on SQLite and PostgreSQL', () => {
  const database = useFreshDatabase();
  const both: TestStore[] = [];
  const workspaces = ['w-one', 'w-two'] as WorkspaceId[];
  const pages: Page[] = [];
  const ready = (): boolean => database.url !== undefined;

  beforeAll(async () => {
    if (!ready()) return;
    const sqlite: StoreUnderTest = {
      kind: 'sqlite',
      config: () => ({}),
      environment: () => ({}),
      available: () => true,
    };
    const postgres: StoreUnderTest = {
      ...sqlite,
      kind: 'postgres',
      config: () => ({ 'store.kind': 'postgres', 'store.url': database.url ?? '' }),
    };
    for (const under of [sqlite, postgres]) both.push(await openTestStore(under, temporaryFolder()));
    await fill();
  });
  afterAll(() => Promise.all(both.map((test) => test.close())));

  const onBoth = (unit: (tx: WriteTx, test: TestStore) => Promise<void>): Promise<unknown> =>
    Promise.all(both.map((test) => test.store.units.write({}, (tx) => unit(tx, test))));

  async function fill(): Promise<void> {
    const random = randomFor('search corpus');
    await onBoth(async (tx, { store }) => {
      for (const id of workspaces)
        await store.workspaces.insert(tx, { id, name: id, createdAt: 1, openedAt: 1 });
    });
    for (let i = 0; i < times(150, 1_500); i += 1) pages.push(randomPage(random, i));
    // Some are the same but for their time or not even that: there the order must still be one.
    for (const twin of pages.slice(0, 12))
      pages.push({ ...twin, ...nameOf(pages.length), updatedAt: twin.updatedAt + random.between(0, 1) });
    await onBoth(async (tx, { store }) => {
      for (const page of pages) {
        await store.pages.insert(tx, page);
        await store.search.put(tx, page.id, tokensOf(page));
      }
    });
    await shuffleAbout(random);
  }

  function nameOf(i: number): { id: PageId; slug: string } {
    return { id: `0190-${String(i).padStart(6, '0')}` as PageId, slug: `slug-${i}` };
  }

  function randomPage(random: Random, i: number): Page {
    const parent = i > 0 && random.oneIn(2) ? random.pick(pages) : undefined;
    return {
      ...nameOf(i),
      workspace: parent?.workspace ?? random.pick(workspaces),
      parent: parent?.id ?? null,
      title: text(random, random.between(1, 6)).replaceAll('\n', ' '),
      icon: null,
      position: 'a0',
      properties: random.oneIn(3)
        ? {
            status: random.pick(['open', 'DONE']),
            size: random.pick([-2, 1, 2, 2.5]),
            due: random.pick(['2026-01-01', '2026-01-02', '2026-01-02T12:00', '2026-01-03']),
          }
        : {},
      tags: TAGS.filter(() => random.oneIn(5)),
      origin: random.pick(['authored', 'agent-produced', 'imported']),
      lifecycle: random.pick(['draft', 'candidate', 'canonical']),
      version: 'v',
      content: `# ${text(random, 3).replaceAll('\n', ' ')}\n\n${text(random, random.between(0, 200))}\n`,
      words: 1,
      createdAt: 1,
      createdBy: 'a',
      updatedAt: random.between(1, 40),
      updatedBy: 'a',
      trashBatch: null,
    };
  }

  const tokensOf = (page: Page) =>
    pageTokens({ title: page.title, headings: [page.content.split('\n')[0] ?? ''], body: page.content });

  /** Pages change, go to the trash and come back; what is counted for ranking must follow exactly. */
  async function shuffleAbout(random: Random): Promise<void> {
    const batch = {
      id: 'batch' as BatchId,
      workspace: workspaces[0] as WorkspaceId,
      root: pages[0]?.id as PageId,
      at: 1,
      principal: 'p' as PrincipalId,
      principalName: 'p',
      restoredAt: null,
    };
    await onBoth((tx, { store }) => store.trash.add(tx, batch, []));
    for (const [i, page] of pages.entries()) {
      const kind = random.between(1, 6);
      if (kind === 1) {
        const changed = { ...page, content: text(random, random.between(0, 80)) };
        pages[i] = changed;
        await onBoth(async (tx, { store }) => {
          await store.pages.update(tx, page.id, { content: changed.content });
          await store.search.put(tx, page.id, tokensOf(changed));
        });
      }
      if (kind === 2) {
        const gone = { ...page, trashBatch: batch.id };
        pages[i] = gone;
        await onBoth(async (tx, { store }) => {
          await store.pages.update(tx, page.id, { trashBatch: batch.id });
          await store.search.remove(tx, page.id);
          // Twice does no harm.
          await store.search.remove(tx, page.id);
        });
      }
      if (kind === 3) {
        await onBoth(async (tx, { store }) => {
          await store.search.remove(tx, page.id);
          await store.search.put(tx, page.id, tokensOf(page));
        });
      }
    }
  }

  function randomFilter(random: Random): SearchFilter {
    if (random.oneIn(2)) return NO_FILTER;
    return {
      tags: random.oneIn(3) ? [random.pick(TAGS).toUpperCase()] : [],
      withoutTags: random.oneIn(3) ? [random.pick(TAGS).toUpperCase()] : [],
      properties: random.oneIn(3) ? [randomCondition(random)] : [],
      ...(random.oneIn(4) && { under: [random.pick(pages).id, random.pick(pages).id] }),
      ...(random.oneIn(4) && { origin: random.pick(['authored', 'imported']) }),
      ...(random.oneIn(4) && { lifecycle: random.pick(['draft', 'canonical']) }),
      ...(random.oneIn(4) && { updatedSince: random.between(1, 40) }),
    };
  }

  function randomTerms(random: Random): SearchTerm[] {
    const tokens = new Set(analyze(text(random, random.between(1, 5))));
    return [...tokens, ...(random.oneIn(5) ? ['nowhere'] : [])].map((token) => ({
      token,
      weight: random.oneIn(4) ? 2 : 1,
    }));
  }

  const comparable = (hits: readonly SearchHit[]) =>
    hits.map(({ page, score, updatedAt }) => [page, score.toFixed(6), updatedAt]);

  it('[STORE-21] ranks alike, with and without filters, for any words', async () => {
    const random = randomFor('search queries');
    let found = 0;
    for (let i = 0; i < times(250, 3_000); i += 1) {
      const [workspace, terms, filter] = [random.pick(workspaces), randomTerms(random), randomFilter(random)];
      const limit = random.pick([1, 7, 200]);
      const [left, right] = await Promise.all(
        both.map(({ store }) =>
          store.units.read((scope) => store.search.search(scope, workspace, terms, filter, limit)),
        ),
      );
      const asked = JSON.stringify({ workspace, terms, filter, limit });
      expect(comparable(right ?? []), asked).toEqual(comparable(left ?? []));
      found += left?.length ?? 0;
    }
    expect(found).toBeGreaterThan(500);
  });

  it('[STORE-21] finds exactly the live pages that hold a word and fit the filter', async () => {
    const random = randomFor('search expectations');
    const tokens = new Map(pages.map((page) => [page.id, new Set(Object.values(tokensOf(page)).flat())]));
    const byId = new Map(pages.map((page) => [page.id, page]));
    for (let i = 0; i < times(100, 1_000); i += 1) {
      const [workspace, filter] = [random.pick(workspaces), randomFilter(random)];
      const terms = randomTerms(random);
      const expected = pages
        .filter(
          (page) => page.workspace === workspace && page.trashBatch === null && fits(page, filter, byId),
        )
        .filter((page) => terms.some(({ token }) => tokens.get(page.id)?.has(token)))
        .map(({ id }) => id);
      for (const { store } of both) {
        const hits = await store.units.read((scope) =>
          store.search.search(scope, workspace, terms, filter, 10_000),
        );
        expect(hits.map(({ page }) => page).toSorted(), JSON.stringify({ terms, filter })).toEqual(
          expected.toSorted(),
        );
      }
    }
  });

  it('[STORE-21] orders by score, then newest, then id, and does so again the next time', async () => {
    const random = randomFor('search order');
    for (let i = 0; i < times(40, 400); i += 1) {
      const [workspace, terms] = [random.pick(workspaces), randomTerms(random)];
      for (const { store } of both) {
        const ask = (limit: number, behind?: SearchHit) =>
          store.units.read((scope) => store.search.search(scope, workspace, terms, NO_FILTER, limit, behind));
        const hits = await ask(10_000);
        const sorted = hits.toSorted(
          (x, y) => y.score - x.score || y.updatedAt - x.updatedAt || (x.page < y.page ? -1 : 1),
        );
        expect(hits).toEqual(sorted);
        expect(await ask(5)).toEqual(hits.slice(0, 5));
        // Where it stands now counts, not where it stood; a page that is no longer the same stands where it stood.
        const at = random.between(0, hits.length - 1);
        const behind = hits[at];
        if (!behind) continue;
        expect(await ask(5, { ...behind, score: behind.score + 1 })).toEqual(hits.slice(at + 1, at + 6));
        expect(await ask(10_000, { ...behind, updatedAt: -1 })).toEqual(
          hits.filter(({ score }) => score < behind.score),
        );
      }
    }
  });

  it('[STORE-21] gives pages with the same words the same score, in whatever order they stand', async () => {
    const [first, second] = ['aaa-1', 'aaa-2'] as PageId[] as [PageId, PageId];
    const words = Array.from({ length: 9 }, (_, i) => `unusual${i}`);
    await onBoth(async (tx, { store }) => {
      for (const [id, own] of [
        [first, words],
        [second, words.toReversed()],
      ] as const) {
        await store.pages.insert(tx, {
          ...(pages[0] as Page),
          ...nameOf(0),
          id,
          slug: id,
          parent: null,
          trashBatch: null,
        });
        await store.search.put(tx, id, {
          title: own.slice(0, 3),
          headings: own.slice(3, 6),
          body: [...own.slice(6), ...own],
        });
      }
    });
    const terms = words.map((token) => ({ token, weight: 1 }));
    const [left, right] = await Promise.all(
      both.map(({ store }) =>
        store.units.read((scope) =>
          store.search.search(scope, (pages[0] as Page).workspace, terms, NO_FILTER, 10),
        ),
      ),
    );
    expect(comparable(right ?? [])).toEqual(comparable(left ?? []));
    await onBoth(async (tx, { store }) => {
      for (const id of [first, second]) await store.search.remove(tx, id);
    });
  });

  it('[STORE-21] browses by filter alone, newest first', async () => {
    const random = randomFor('browsing');
    for (let i = 0; i < times(60, 500); i += 1) {
      const [workspace, filter] = [random.pick(workspaces), randomFilter(random)];
      const [left, right] = await Promise.all(
        both.map(({ store }) =>
          store.units.read((scope) => store.search.browse(scope, workspace, filter, 50)),
        ),
      );
      expect(comparable(right ?? [])).toEqual(comparable(left ?? []));
    }
  });

  it('[STORE-22] takes any text for a term: none is a mistake, and none means anything but itself', async () => {
    const random = randomFor('hostile terms');
    const alphabet = [
      ...`"'*:^-+(){}[]<>=~!@#$%&|\\/?.,; \t\n`,
      'NEAR',
      'AND',
      'OR',
      'NOT',
      'title',
      '\u{10FFFF}',
      'é',
      '東',
    ];
    for (let i = 0; i < times(200, 3_000); i += 1) {
      const token = Array.from({ length: random.between(0, 12) }, () => random.pick(alphabet)).join('');
      const terms = [{ token, weight: random.between(1, 3) }];
      for (const { store } of both) {
        const ask = store.units.read((scope) =>
          store.search.search(scope, workspaces[0] as WorkspaceId, terms, NO_FILTER, 10),
        );
        expect(await ask, JSON.stringify(token)).toBeInstanceOf(Array);
      }
    }
  });
});

function randomCondition(random: Random): PropertyCondition {
  const bounds = ['2026-01-02', '2026-01-02T12:00', '2', '-1.5'];
  const written = [
    `status=${random.pick(['OPEN', 'done', 'x'])}`,
    `status~${random.pick(['PE', 'one', 'o', '%'])}`,
    ...['<', '<=', '>', '>='].map((sign) => `${random.pick(['size', 'due'])}${sign}${random.pick(bounds)}`),
  ];
  const read = readCondition(random.pick(written));
  const key = random.pick(['status', 'size', 'nothing']);
  return (random.oneIn(4) ? undefined : read) ?? { key, is: random.pick(['there', 'missing']) };
}

function holds(value: PropertyValue | undefined, condition: PropertyCondition): boolean {
  if (condition.is === 'there') return value !== undefined;
  if (condition.is === 'missing') return value === undefined;
  const text = String(value).toLowerCase();
  if (condition.is === 'equal') return text === condition.value.toLowerCase();
  if (condition.is === 'containing')
    return value !== undefined && text.includes(condition.value.toLowerCase());
  const isDate = typeof value === 'string' && value.startsWith('2026');
  const at = isDate ? Date.parse(value.length > 10 ? `${value}Z` : value) : value;
  if (typeof at !== 'number' || isDate !== ('kind' in condition && condition.kind === 'date')) return false;
  const bound = 'bound' in condition ? condition.bound : Number.NaN;
  if (condition.is === 'below') return at < bound;
  if (condition.is === 'at_most') return at <= bound;
  return condition.is === 'above' ? at > bound : at >= bound;
}

/** What the filters mean, said plainly. */
function fits(page: Page, filter: SearchFilter, byId: ReadonlyMap<PageId, Page>): boolean {
  const tags = page.tags.map((tag) => tag.toLowerCase());
  const hasTag = (wanted: string): boolean =>
    tags.some((tag) => tag === wanted.toLowerCase() || tag.startsWith(`${wanted.toLowerCase()}/`));
  const isUnder = (root: PageId): boolean => {
    for (let at: Page | undefined = page; at; at = at.parent === null ? undefined : byId.get(at.parent))
      if (at.id === root) return true;
    return false;
  };
  return (
    filter.tags.every(hasTag) &&
    !(filter.withoutTags ?? []).some(hasTag) &&
    filter.properties.every((condition) => holds(page.properties[condition.key], condition)) &&
    (filter.under === undefined || filter.under.some(isUnder)) &&
    (filter.origin === undefined || page.origin === filter.origin) &&
    (filter.lifecycle === undefined || page.lifecycle === filter.lifecycle) &&
    (filter.updatedSince === undefined || page.updatedAt >= filter.updatedSince)
  );
}
