/** Pages in SQL: the rows, the tree and the names. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { nameKey } from '../../domain/workspace/names.ts';
import type { Ancestor, PageHeader } from '../../domain/workspace/page.ts';
import type { NamedPage, PageStore } from '../../domain/workspace/ports/page-store.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { inPieces, ofWorkspace, valuesOf as tableOf } from './chunks.ts';
import { fixedQuery } from './fixed-query.ts';
import { metadataOf, putDerived, putProperties, putTags } from './page-metadata.ts';
import { fromPage, fromPatch, HEADER_COLUMNS, type HeaderRow, toHeader } from './page-rows.ts';
import { settleMoved } from './permission-store.ts';
import type { Database } from './schema.ts';
import { liftedIn, reading, writing } from './scopes.ts';

/** Deeper chains than the domain allows cannot arise; this only bounds a damaged tree. */
const MAX_STEPS = 200;

export const pageStore: PageStore = {
  async find(scope, workspace, id) {
    const [row] = await wholePage(scope, workspace, id);
    return row && { ...headerIn(scope, row), content: row.content };
  },

  async findAll(scope, workspace, ids) {
    const rows = await inPieces(ids, (piece) =>
      reading(scope)
        .selectFrom('page')
        .select([...HEADER_COLUMNS, 'page.content'])
        .where('id', 'in', piece)
        .orderBy('id')
        .execute(),
    );
    return ofWorkspace(rows, workspace).map((row) => ({ ...headerIn(scope, row), content: row.content }));
  },

  async headers(scope, workspace, ids) {
    const [only] = ids;
    if (ids.length === 1 && only !== undefined)
      return (await oneHeader(scope, workspace, only)).map((row) => headerIn(scope, row));
    const rows = await inPieces(ids, (piece) =>
      reading(scope).selectFrom('page').select(HEADER_COLUMNS).where('id', 'in', piece).execute(),
    );
    return ofWorkspace(rows, workspace).map((row) => headerIn(scope, row));
  },

  async called(scope, workspace, parent, slugKey) {
    const rows =
      parent !== null
        ? await childPage(scope, workspace, parent, slugKey)
        : liftedIn(scope).length === 0
          ? await rootPage(scope, workspace, slugKey)
          : await below(scope, workspace, null).where('slug_key', '=', slugKey).orderBy('id').execute();
    return rows.map((row) => headerIn(scope, row));
  },

  async children(scope, workspace, parent, limit, after) {
    let query = below(scope, workspace, parent);
    if (after) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('page.position', 'page.id'), '>', tuple(after.position, after.id)),
      );
    }
    const rows = await query.orderBy('position').orderBy('id').limit(limit).execute();
    return rows.map((row) => headerIn(scope, row));
  },

  async lastChild(scope, workspace, parent, except) {
    let query = live(scope, workspace).where('parent_id', parent === null ? 'is' : '=', parent);
    if (except !== undefined) query = query.where('id', '!=', except);
    const row = await query.orderBy('position', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
    return row && toHeader(row);
  },

  async childCounts(scope, workspace, ids) {
    const rows = await inPieces(ids, (piece) =>
      reading(scope)
        .selectFrom('page')
        .select(['parent_id', (row) => row.fn.countAll<number>().as('children')])
        .where('workspace_id', '=', workspace)
        .where('parent_id', 'in', piece)
        .where('trash_batch', 'is', null)
        .groupBy('parent_id')
        .execute(),
    );
    return new Map(rows.map((row) => [row.parent_id as PageId, Number(row.children)]));
  },

  async named(scope, workspace, keys) {
    const byColumn = async (
      kind: 'title' | 'slug',
      column: 'title_key' | 'slug_key',
    ): Promise<NamedPage[]> => {
      const rows = await inPieces(keys, (piece) =>
        live(scope, workspace)
          .select((row) => row.ref(column).as('key'))
          .where(column, 'in', piece)
          .execute(),
      );
      return rows.map((row) => ({ page: headerIn(scope, row), kind, key: row.key }));
    };
    const aliased = await inPieces(keys, (piece) =>
      live(scope, workspace)
        .innerJoin('page_alias', 'page_alias.page_id', 'page.id')
        .select('alias_key')
        .where('page_alias.workspace_id', '=', workspace)
        .where('alias_key', 'in', piece)
        .execute(),
    );
    return [
      ...(await byColumn('title', 'title_key')),
      ...(await byColumn('slug', 'slug_key')),
      ...aliased.map((row) => ({ page: headerIn(scope, row), kind: 'alias' as const, key: row.alias_key })),
    ];
  },

  async ways(scope, ids) {
    const [only] = ids;
    const rows =
      ids.length === 1 && only !== undefined
        ? await oneWay(scope, only)
        : await inPieces(
            ids,
            async (piece) => (await waysQuery(sql.join(piece)).execute(reading(scope))).rows,
          );
    const ways = new Map<PageId, Ancestor[]>();
    for (const { start, id, slug, title } of rows) {
      const way = ways.get(start);
      if (way) way.push({ id, slug, title });
      else ways.set(start, [{ id, slug, title }]);
    }
    return ways;
  },

  async subtree(scope, workspace, root) {
    const answer = await sql<HeaderRow>`
      with recursive down (id, steps) as (
        select id, 0 from page where id = ${root} and workspace_id = ${workspace} and trash_batch is null
        union all
        select page.id, down.steps + 1 from page join down on page.parent_id = down.id
        where page.trash_batch is null and down.steps < ${sql.lit(MAX_STEPS)}
      ) select ${sql.join(HEADER_COLUMNS.map((column) => sql.ref(column)))}
      from down join page on page.id = down.id order by down.steps, page.position, page.id`.execute(
      reading(scope),
    );
    return answer.rows.map((row) => headerIn(scope, row));
  },

  async siblingSlugs(scope, workspace, parent, prefix) {
    const end = `${prefix}\u{10FFFF}`;
    const rows =
      parent === null
        ? await rootSlugs(scope, workspace, prefix, end)
        : await childSlugs(scope, workspace, parent, prefix, end);
    return rows.map((row) => row.slug_key);
  },

  async aliases(scope, page) {
    return (await aliasesOf(scope, page)).map(({ alias }) => alias);
  },

  async aliasesOfAll(scope, pages) {
    const rows = await inPieces(pages, (piece) =>
      reading(scope)
        .selectFrom('page_alias')
        .select(['page_id', 'alias'])
        .where('page_id', 'in', piece)
        .orderBy('page_id')
        .orderBy('alias_key')
        .execute(),
    );
    const byPage = Map.groupBy(rows, (row) => row.page_id as PageId);
    return new Map([...byPage].map(([page, own]) => [page, own.map(({ alias }) => alias)]));
  },

  async count(scope, workspace) {
    const row = await reading(scope)
      .selectFrom('page')
      .select((column) => column.fn.countAll<number>().as('pages'))
      .where('workspace_id', '=', workspace)
      .where('trash_batch', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(row.pages);
  },

  async trashed(scope, batch) {
    const rows = await reading(scope)
      .selectFrom('page')
      .select(HEADER_COLUMNS)
      .where('trash_batch', '=', batch)
      .orderBy('id')
      .execute();
    return rows.map(toHeader);
  },

  async insert(tx, page) {
    const zone = sql<string | null>`(select zone from page above where above.id = ${page.parent})`;
    await writing(tx)
      .insertInto('page')
      .values({ ...fromPage(page), zone: page.parent === null ? null : zone })
      .execute();
    if (page.tags.length > 0) await putTags(tx, page, page.tags);
    if (Object.keys(page.properties).length > 0) await putProperties(tx, page, page.properties);
  },

  async update(tx, id, patch) {
    const row = fromPatch(patch);
    if (Object.keys(row).length > 0)
      await writing(tx).updateTable('page').set(row).where('id', '=', id).execute();
    if (patch.parent !== undefined) await settleMoved(tx, id);
    if (patch.tags === undefined && patch.properties === undefined) return;
    const owner = await writing(tx)
      .selectFrom('page')
      .select('workspace_id')
      .where('id', '=', id)
      .executeTakeFirst();
    const page = { id, workspace: (owner?.workspace_id ?? '') as WorkspaceId };
    if (patch.tags !== undefined) await putTags(tx, page, patch.tags);
    if (patch.properties !== undefined) await putProperties(tx, page, patch.properties);
  },

  async updateTexts(tx, texts, { updatedAt, updatedBy }) {
    await inPieces(texts, async (piece) => {
      const rows = piece.map(({ id, content, version, words }) => [id, content, version, words]);
      await sql`update page set content = given.column2, version = given.column3,
        words = cast(given.column4 as bigint), updated_at = ${updatedAt}, updated_by = ${updatedBy}
        from ${tableOf(rows)} as given where id = given.column1`.execute(writing(tx));
      return [];
    });
  },

  async addAlias(tx, page, alias) {
    await writing(tx)
      .insertInto('page_alias')
      .values({
        page_id: page.id,
        workspace_id: page.workspace,
        alias,
        alias_key: nameKey(alias),
        derived: 0,
      })
      .onConflict((conflict) => conflict.columns(['page_id', 'alias_key']).doUpdateSet({ derived: 0 }))
      .execute();
  },

  async removeAlias(tx, page, alias) {
    await writing(tx)
      .deleteFrom('page_alias')
      .where('page_id', '=', page)
      .where('alias_key', '=', nameKey(alias))
      .where('derived', '=', 0)
      .execute();
  },

  metadata: async (scope, page) =>
    (await metadataOf(scope, page)).map((row) => ({ ...row, derived: row.derived === 1 })),
  putDerived,
};

const wholePage = fixedQuery((db, workspace: WorkspaceId, id: PageId) =>
  db
    .selectFrom('page')
    .select([...HEADER_COLUMNS, 'page.content'])
    .where('id', '=', id)
    .where('workspace_id', '=', workspace),
);

const oneHeader = fixedQuery((db, workspace: WorkspaceId, id: PageId) =>
  db.selectFrom('page').select(HEADER_COLUMNS).where('id', '=', id).where('workspace_id', '=', workspace),
);

const rootPage = fixedQuery((db, workspace: WorkspaceId, slugKey: string) =>
  liveOn(db, workspace).where('parent_id', 'is', null).where('slug_key', '=', slugKey),
);

const childPage = fixedQuery((db, workspace: WorkspaceId, parent: PageId, slugKey: string) =>
  liveOn(db, workspace).where('parent_id', '=', parent).where('slug_key', '=', slugKey),
);

/** A range finds the prefix by the index and takes no notice of wildcards in it. */
const slugsIn = (db: Kysely<Database>, workspace: WorkspaceId, from: string, to: string) =>
  db
    .selectFrom('page')
    .select('slug_key')
    .where('workspace_id', '=', workspace)
    .where('trash_batch', 'is', null)
    .where('slug_key', '>=', from)
    .where('slug_key', '<', to);

const rootSlugs = fixedQuery((db, workspace: WorkspaceId, from: string, to: string) =>
  slugsIn(db, workspace, from, to).where('parent_id', 'is', null),
);

const childSlugs = fixedQuery((db, workspace: WorkspaceId, parent: PageId, from: string, to: string) =>
  slugsIn(db, workspace, from, to).where('parent_id', '=', parent),
);

const aliasesOf = fixedQuery((db, page: PageId) =>
  db.selectFrom('page_alias').select('alias').where('page_id', '=', page).orderBy('alias_key'),
);

interface WayStep {
  readonly start: PageId;
  readonly id: PageId;
  readonly slug: string;
  readonly title: string;
}

const waysQuery = (ids: RawBuilder<unknown>) => sql<WayStep>`
  with recursive up (start, id, parent_id, slug, title, steps) as (
    select id, id, parent_id, slug, title, 0 from page where id in (${ids})
    union all
    select up.start, page.id, page.parent_id, page.slug, page.title, up.steps + 1
    from page join up on page.id = up.parent_id where up.steps < ${sql.lit(MAX_STEPS)}
  ) select start, id, slug, title from up order by start, steps desc`;

const oneWay = fixedQuery((db, id: PageId) => ({ compile: () => waysQuery(sql`${id}`).compile(db) }));

/** As who looks may know it: a page whose parent is not there for it has none. */
const headerIn = (scope: ReadScope, row: HeaderRow): PageHeader =>
  liftedIn(scope).includes(row.id) ? { ...toHeader(row), parent: null } : toHeader(row);

function below(scope: ReadScope, workspace: WorkspaceId, parent: PageId | null) {
  const lifted = parent === null ? liftedIn(scope) : [];
  const query = live(scope, workspace);
  if (lifted.length === 0) return query.where('parent_id', parent === null ? 'is' : '=', parent);
  return query.where(({ eb, or }) => or([eb('parent_id', 'is', null), eb('page.id', 'in', [...lifted])]));
}

const live = (scope: ReadScope, workspace: WorkspaceId) => liveOn(reading(scope), workspace);

function liveOn(db: Kysely<Database>, workspace: WorkspaceId) {
  return db
    .selectFrom('page')
    .select(HEADER_COLUMNS)
    .where('page.workspace_id', '=', workspace)
    .where('page.trash_batch', 'is', null);
}
