/** Vectors in an ordinary table, one row a page. Comparing them is nobody's business here. */
import { sql } from 'kysely';
import type { KeptVectors, PassagePlace, VectorStore } from '../../domain/workspace/ports/vector-store.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { inPieces } from './chunks.ts';
import { behind, reading, writing } from './scopes.ts';

export const vectorStore: VectorStore = {
  async progress(scope, workspace) {
    return reading(scope)
      .selectFrom('semantic_progress')
      .select(['model', 'sequence'])
      .where('workspace_id', '=', workspace)
      .executeTakeFirst();
  },

  async setProgress(tx, workspace, { model, sequence }) {
    await writing(tx)
      .insertInto('semantic_progress')
      .values({ workspace_id: workspace, model, sequence, stamp: 0 })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet({ model, sequence }))
      .execute();
  },

  async pending(scope, workspace, model, after, limit) {
    let query = reading(scope)
      .selectFrom('page')
      .leftJoin('page_vector', 'page_vector.page_id', 'page.id')
      .select('page.id')
      .where('page.workspace_id', '=', workspace)
      .where('page.trash_batch', 'is', null)
      .where((is) =>
        is.or([
          is('page_vector.page_id', 'is', null),
          is('page_vector.model', '<>', model),
          is('page_vector.version', '<>', is.ref('page.version')),
          is('page_vector.title', '<>', is.ref('page.title')),
        ]),
      );
    if (after > 0) {
      query = query.where('page.id', 'in', (is) =>
        is
          .selectFrom('event')
          .select(sql<string>`page_id`.as('page_id'))
          .where('workspace_id', '=', workspace)
          .where('sequence', '>', after)
          .where('page_id', 'is not', null),
      );
    }
    const rows = await query.orderBy('page.updated_at', 'desc').orderBy('page.id').limit(limit).execute();
    return rows.map((row) => row.id as PageId);
  },

  async put(tx, workspace, { page, model, version, title, places, vectors }) {
    const db = writing(tx);
    const current = await db
      .selectFrom('page')
      .select('id')
      .where('id', '=', page)
      .where('workspace_id', '=', workspace)
      .where('version', '=', version)
      .where('title', '=', title)
      .executeTakeFirst();
    if (!current) return false;
    const { stamp } = await db
      .updateTable('semantic_progress')
      .set((is) => ({ stamp: is('stamp', '+', 1) }))
      .where('workspace_id', '=', workspace)
      .returning('stamp')
      .executeTakeFirstOrThrow();
    const row = { model, version, title, places: JSON.stringify(places.map(toPair)), vectors, stamp };
    await db
      .insertInto('page_vector')
      .values({ page_id: page, workspace_id: workspace, ...row })
      .onConflict((conflict) => conflict.column('page_id').doUpdateSet(row))
      .execute();
    return true;
  },

  // All of them, for the shelf that all callers share; what is near is let through for each caller by `admit`.
  async since(scope, workspace, model, stamp, limit) {
    const rows = await behind(scope)
      .selectFrom('page_vector')
      .select(['page_id', 'vectors', 'stamp'])
      .where('workspace_id', '=', workspace)
      .where('stamp', '>', stamp)
      .where('model', '=', model)
      .orderBy('stamp')
      .limit(limit)
      .execute();
    return rows.map(
      (row): KeptVectors => ({
        page: row.page_id as PageId,
        vectors: row.vectors,
        stamp: row.stamp,
      }),
    );
  },

  async places(scope, pages) {
    const rows = await inPieces(pages, (piece) =>
      reading(scope)
        .selectFrom('page_vector')
        .select(['page_id', 'places'])
        .where('page_id', 'in', piece)
        .execute(),
    );
    return new Map(rows.map((row) => [row.page_id as PageId, toPlaces(row.places)]));
  },

  async counts(scope, workspace, model) {
    return { pages: await livePages(scope, workspace), indexed: await freshPages(scope, workspace, model) };
  },

  async clear(tx, workspace) {
    await writing(tx).deleteFrom('page_vector').where('workspace_id', '=', workspace).execute();
  },
};

async function livePages(scope: ReadScope, workspace: WorkspaceId): Promise<number> {
  const { count } = await reading(scope)
    .selectFrom('page')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspace)
    .where('trash_batch', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function freshPages(scope: ReadScope, workspace: WorkspaceId, model: string): Promise<number> {
  const { count } = await reading(scope)
    .selectFrom('page_vector')
    .innerJoin('page', 'page.id', 'page_vector.page_id')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('page_vector.workspace_id', '=', workspace)
    .where('page_vector.model', '=', model)
    .where('page.trash_batch', 'is', null)
    .whereRef('page.version', '=', 'page_vector.version')
    .whereRef('page.title', '=', 'page_vector.title')
    .executeTakeFirstOrThrow();
  return Number(count);
}

const toPair = ({ start, end }: PassagePlace): [number, number] => [start, end];

const toPlaces = (json: string): PassagePlace[] =>
  (JSON.parse(json) as [number, number][]).map(([start, end]) => ({ start, end }));
