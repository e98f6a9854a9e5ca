/** Documents and their block indexes in SQL: a snapshot and the updates since. */
import type { BlockEntry } from '../../domain/workspace/block-index.ts';
import type { DocumentStore } from '../../domain/workspace/ports/document-store.ts';
import { SluiceError } from '../../kernel/errors.ts';
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

  async append(tx, page, update, blocks) {
    const db = writing(tx);
    const { updates } = await db
      .updateTable('page_document')
      .set((row) => ({ updates: row('updates', '+', 1), blocks: pack(blocks) }))
      .where('page_id', '=', page)
      .returning('updates')
      .executeTakeFirstOrThrow();
    await db.insertInto('page_update').values({ page_id: page, number: updates, bytes: update }).execute();
    return updates;
  },

  async compact(tx, page, snapshot) {
    const db = writing(tx);
    await db.updateTable('page_document').set({ snapshot, updates: 0 }).where('page_id', '=', page).execute();
    await db.deleteFrom('page_update').where('page_id', '=', page).execute();
  },
};

/** Rows of values instead of objects: a page may have thousands of blocks. */
const pack = (blocks: readonly BlockEntry[]): string =>
  JSON.stringify(blocks.map(({ id, kind, start, end, digest }) => [id, kind, start, end, digest]));

function unpack(text: string): readonly BlockEntry[] {
  const rows: [BlockEntry['id'], string, number, number, string][] = JSON.parse(text);
  return rows.map(([id, kind, start, end, digest]) => ({ id, kind, start, end, digest }));
}
