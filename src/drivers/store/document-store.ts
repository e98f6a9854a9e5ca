/** Documents and their block indexes in SQL: a snapshot and the updates since. */
import { sql } from 'kysely';
import type { BlockEntry } from '../../domain/workspace/block-index.ts';
import type { DocumentStore } from '../../domain/workspace/ports/document-store.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { PageId } from '../../kernel/ids.ts';
import { inPieces, valuesOf } from './chunks.ts';
import { reading, writing } from './scopes.ts';

export const documentStore: DocumentStore = {
  async load(scope, page) {
    const db = reading(scope);
    const row = await db
      .selectFrom('page_document')
      .select(['snapshot', 'updates'])
      .where('page_id', '=', page)
      .executeTakeFirst();
    if (!row) throw new SluiceError('internal', 'A page has no document');
    if (row.updates === 0) return { snapshot: row.snapshot, updates: [] };
    const updates = await db
      .selectFrom('page_update')
      .select('bytes')
      .where('page_id', '=', page)
      .orderBy('number')
      .execute();
    return { snapshot: row.snapshot, updates: updates.map(({ bytes }) => bytes) };
  },

  async loadAll(scope, pages) {
    const db = reading(scope);
    const rows = await inPieces(pages, (piece) =>
      db.selectFrom('page_document').selectAll().where('page_id', 'in', piece).execute(),
    );
    const updates = await inPieces(
      rows.filter((row) => row.updates > 0).map((row) => row.page_id),
      (piece) =>
        db
          .selectFrom('page_update')
          .select(['page_id', 'bytes'])
          .where('page_id', 'in', piece)
          .orderBy('page_id')
          .orderBy('number')
          .execute(),
    );
    const byPage = Map.groupBy(updates, (update) => update.page_id);
    return new Map(
      rows.map(({ page_id, snapshot, blocks }) => {
        const stored = { snapshot, updates: (byPage.get(page_id) ?? []).map(({ bytes }) => bytes) };
        return [page_id as PageId, { stored, blocks: unpack(blocks) }];
      }),
    );
  },

  async blocks(scope, page) {
    const row = await reading(scope)
      .selectFrom('page_document')
      .select('blocks')
      .where('page_id', '=', page)
      .executeTakeFirst();
    return row ? unpack(row.blocks) : [];
  },

  async create(tx, page, snapshot, blocks) {
    await writing(tx)
      .insertInto('page_document')
      .values({ page_id: page, snapshot, updates: 0, blocks: pack(blocks) })
      .execute();
  },

  async append(tx, changes) {
    const db = writing(tx);
    const rows = await inPieces(changes, async (piece) => {
      const given = valuesOf(piece.map(({ page, blocks }) => [page, pack(blocks)]));
      const counted = await sql<{ page_id: PageId; updates: number }>`
        update page_document set updates = updates + 1, blocks = given.column2 from ${given} as given
        where page_id = given.column1 returning page_id, updates`.execute(db);
      return counted.rows;
    });
    const counts = new Map(rows.map((row) => [row.page_id, row.updates]));
    await inPieces(changes, async (piece) => {
      await db
        .insertInto('page_update')
        .values(
          piece.map(({ page, update }) => ({ page_id: page, number: numberOf(counts, page), bytes: update })),
        )
        .execute();
      return [];
    });
    return counts;
  },

  async compact(tx, page, snapshot) {
    const db = writing(tx);
    await db.updateTable('page_document').set({ snapshot, updates: 0 }).where('page_id', '=', page).execute();
    await db.deleteFrom('page_update').where('page_id', '=', page).execute();
  },
};

function numberOf(counts: ReadonlyMap<PageId, number>, page: PageId): number {
  const number = counts.get(page);
  if (number === undefined) throw new SluiceError('internal', 'A page has no document');
  return number;
}

/** Rows of values instead of objects: a page may have thousands of blocks. */
const pack = (blocks: readonly BlockEntry[]): string =>
  JSON.stringify(blocks.map(({ id, kind, start, end, digest }) => [id, kind, start, end, digest]));

function unpack(text: string): readonly BlockEntry[] {
  const rows: [BlockEntry['id'], string, number, number, string][] = JSON.parse(text);
  return rows.map(([id, kind, start, end, digest]) => ({ id, kind, start, end, digest }));
}
