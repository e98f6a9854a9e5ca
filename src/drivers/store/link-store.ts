/** The link index in SQL. */
import { sql } from 'kysely';
import type { LinkEntry, LinkStore } from '../../domain/workspace/ports/link-store.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import { inPieces, valuesOf } from './chunks.ts';
import { fixedQuery } from './fixed-query.ts';
import type { Database } from './schema.ts';
import { isVeiled, reading, writing } from './scopes.ts';

export const linkStore: LinkStore = {
  async of(scope, source) {
    const rows = await reading(scope)
      .selectFrom('page_link')
      .selectAll()
      .where('source_id', '=', source)
      .orderBy('ordinal')
      .execute();
    return rows.map(toLink);
  },

  async ofAll(scope, sources) {
    const rows = await inPieces(sources, (piece) =>
      reading(scope)
        .selectFrom('page_link')
        .selectAll()
        .where('source_id', 'in', piece)
        .orderBy('source_id')
        .orderBy('ordinal')
        .execute(),
    );
    return Map.groupBy(rows.map(toLink), (link) => link.source);
  },

  async to(scope, target, limit, after) {
    let query = fromLivePages(scope).where('page_link.target_id', '=', target);
    if (after) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('page_link.source_id', 'page_link.ordinal'), '>', tuple(after.source, after.ordinal)),
      );
    }
    const rows = await query
      .orderBy('page_link.source_id')
      .orderBy('page_link.ordinal')
      .limit(limit)
      .execute();
    return rows.map(toLink);
  },

  async countTo(scope, target) {
    const [row] = await linksTo(scope, target);
    return Number(row?.links);
  },

  async countOf(scope, source) {
    const [row] = await linksOf(scope, source);
    return Number(row?.links);
  },

  async byKeys(scope, workspace, keys) {
    const rows = await inPieces(keys, (piece) =>
      fromLivePages(scope)
        .where('page_link.workspace_id', '=', workspace)
        .where('page_link.target_key', 'in', piece)
        .orderBy('page_link.source_id')
        .orderBy('page_link.ordinal')
        .execute(),
    );
    return rows.map(toLink);
  },

  settled: (scope) => !isVeiled(scope),

  async withStatus(scope, workspace, statuses, limit, after) {
    let query = fromLivePages(scope)
      .where('page_link.workspace_id', '=', workspace)
      .where('page_link.status', 'in', statuses);
    if (after) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('page_link.source_id', 'page_link.ordinal'), '>', tuple(after.source, after.ordinal)),
      );
    }
    const rows = await query
      .orderBy('page_link.source_id')
      .orderBy('page_link.ordinal')
      .limit(limit)
      .execute();
    return rows.map(toLink);
  },

  async replace(tx, workspace, sources, links) {
    const db = writing(tx);
    await inPieces(sources, async (piece) => {
      await db.deleteFrom('page_link').where('source_id', 'in', piece).execute();
      return [];
    });
    await addLinks(tx, workspace, links);
  },

  add: addLinks,

  async resolve(tx, relinked) {
    await inPieces(relinked, async (piece) => {
      const rows = piece.map(({ link, status, target }) => [link.source, link.ordinal, status, target]);
      await sql`update page_link set status = given.column3, target_id = given.column4
        from ${valuesOf(rows)} as given
        where source_id = given.column1 and ordinal = cast(given.column2 as bigint)`.execute(writing(tx));
      return [];
    });
  },
};

async function addLinks(tx: WriteTx, workspace: WorkspaceId, links: readonly LinkEntry[]): Promise<void> {
  await inPieces(links, async (piece) => {
    await writing(tx)
      .insertInto('page_link')
      .values(piece.map((link) => fromLink(workspace, link)))
      .execute();
    return [];
  });
}

const linksTo = fixedQuery((db, target: PageId) =>
  db
    .selectFrom('page_link')
    .innerJoin('page', 'page.id', 'page_link.source_id')
    .select((column) => column.fn.countAll<number>().as('links'))
    .where('page.trash_batch', 'is', null)
    .where('page_link.target_id', '=', target),
);

const linksOf = fixedQuery((db, source: PageId) =>
  db
    .selectFrom('page_link')
    .select((column) => column.fn.countAll<number>().as('links'))
    .where('source_id', '=', source),
);

function fromLivePages(scope: ReadScope) {
  return reading(scope)
    .selectFrom('page_link')
    .innerJoin('page', 'page.id', 'page_link.source_id')
    .selectAll('page_link')
    .where('page.trash_batch', 'is', null);
}

function toLink(row: Database['page_link']): LinkEntry {
  return {
    source: row.source_id as PageId,
    ordinal: row.ordinal,
    form: row.form as LinkEntry['form'],
    embed: row.embed === 1,
    start: row.position,
    end: row.position + row.length,
    targetStart: row.target_position,
    targetEnd: row.target_position + row.target_length,
    path: row.path,
    fragment: row.fragment,
    display: row.display,
    targetKey: row.target_key,
    status: row.status as LinkEntry['status'],
    target: row.target_id as PageId | null,
  };
}

function fromLink(workspace: WorkspaceId, link: LinkEntry): Database['page_link'] {
  return {
    source_id: link.source,
    ordinal: link.ordinal,
    workspace_id: workspace,
    form: link.form,
    embed: link.embed ? 1 : 0,
    position: link.start,
    length: link.end - link.start,
    target_position: link.targetStart,
    target_length: link.targetEnd - link.targetStart,
    path: link.path,
    fragment: link.fragment,
    display: link.display,
    target_key: link.targetKey,
    status: link.status,
    target_id: link.target,
  };
}
