/** The trash in SQL. */
import type { TrashBatch, TrashStore } from '../../domain/workspace/ports/trash-store.ts';
import type { BatchId, PageId, PrincipalId, WorkspaceId } from '../../kernel/ids.ts';
import { inPieces } from './chunks.ts';
import type { Database } from './schema.ts';
import { reading, writing } from './scopes.ts';

export const trashStore: TrashStore = {
  async find(scope, workspace, id) {
    const row = await reading(scope)
      .selectFrom('trash_batch')
      .selectAll()
      .where('id', '=', id)
      .where('workspace_id', '=', workspace)
      .executeTakeFirst();
    return row && toBatch(row);
  },

  async items(scope, batch) {
    const rows = await reading(scope)
      .selectFrom('trash_item')
      .selectAll()
      .where('batch_id', '=', batch)
      .orderBy('page_id')
      .execute();
    return rows.map((row) => ({
      page: row.page_id as PageId,
      parent: row.parent_id as PageId | null,
      position: row.position,
      slug: row.slug,
    }));
  },

  async list(scope, workspace, limit, before) {
    let query = reading(scope)
      .selectFrom('trash_batch')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('restored_at', 'is', null);
    if (before) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('at', 'id'), '<', tuple(before.at, before.id)),
      );
    }
    const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute();
    return rows.map(toBatch);
  },

  async add(tx, batch, items) {
    const db = writing(tx);
    await db
      .insertInto('trash_batch')
      .values({
        id: batch.id,
        workspace_id: batch.workspace,
        root_id: batch.root,
        at: batch.at,
        principal_id: batch.principal,
        principal_name: batch.principalName,
        restored_at: batch.restoredAt,
      })
      .execute();
    await inPieces(items, async (piece) => {
      const rows = piece.map(({ page, parent, position, slug }) => ({
        batch_id: batch.id,
        page_id: page,
        parent_id: parent,
        position,
        slug,
      }));
      await db.insertInto('trash_item').values(rows).execute();
      return [];
    });
  },

  async markRestored(tx, id, at) {
    await writing(tx).updateTable('trash_batch').set({ restored_at: at }).where('id', '=', id).execute();
  },

  async expired(scope, workspace, before, limit) {
    const rows = await reading(scope)
      .selectFrom('page')
      .innerJoin('trash_batch', 'trash_batch.id', 'page.trash_batch')
      .select('page.id')
      .where('trash_batch.workspace_id', '=', workspace)
      .where('trash_batch.at', '<', before)
      .orderBy('trash_batch.at')
      .orderBy('page.id')
      .limit(limit)
      .execute();
    return rows.map((row) => row.id as PageId);
  },

  async purge(tx, pages) {
    const db = writing(tx);
    await inPieces(pages, async (piece) => {
      for (const table of OF_A_PAGE) await db.deleteFrom(table).where('page_id', 'in', piece).execute();
      await db.deleteFrom('page_link').where('source_id', 'in', piece).execute();
      await db
        .updateTable('page_link')
        .set({ status: 'unresolved', target_id: null })
        .where('target_id', 'in', piece)
        .execute();
      // Others that lie in the trash may have been below them.
      await db.updateTable('page').set({ parent_id: null }).where('parent_id', 'in', piece).execute();
      return [];
    });
    // Only now: some of them were below others.
    await inPieces(pages, async (piece) => {
      await db.deleteFrom('page').where('id', 'in', piece).execute();
      return [];
    });
  },
};

const OF_A_PAGE = [
  'block_provenance',
  'former_block',
  'page_document',
  'page_update',
  'page_alias',
  'page_tag',
  'page_property',
  'page_source',
  'page_vector',
  'block_provenance',
  'former_block',
  'trash_item',
] as const;

function toBatch(row: Database['trash_batch']): TrashBatch {
  return {
    id: row.id as BatchId,
    workspace: row.workspace_id as WorkspaceId,
    root: row.root_id as PageId,
    at: row.at,
    principal: row.principal_id as PrincipalId,
    principalName: row.principal_name,
    restoredAt: row.restored_at,
  };
}
