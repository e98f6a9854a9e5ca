/** Workspaces in SQL. */
import type { Workspace, WorkspaceStore } from '../../domain/workspace/ports/workspace-store.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import { reading, writing } from './scopes.ts';

export const workspaceStore: WorkspaceStore = {
  async all(scope) {
    const rows = await reading(scope).selectFrom('workspace').selectAll().orderBy('name_key').execute();
    return rows.map(
      (row): Workspace => ({
        id: row.id as WorkspaceId,
        name: row.name,
        createdAt: row.created_at,
        openedAt: row.opened_at,
        readOnly: row.read_only === 1,
      }),
    );
  },

  async insert(tx, workspace) {
    const made = await writing(tx)
      .insertInto('workspace')
      .values({
        id: workspace.id,
        name: workspace.name,
        name_key: workspace.name.toLowerCase(),
        created_at: workspace.createdAt,
        opened_at: workspace.openedAt,
        sequence: 0,
      })
      .onConflict((conflict) => conflict.column('name_key').doNothing())
      .executeTakeFirst();
    if (Number(made.numInsertedOrUpdatedRows) === 0) {
      throw new SluiceError('conflict', `There is a workspace "${workspace.name}" already`, {
        reason: 'exists',
      });
    }
  },

  async setOpened(tx, id, openedAt) {
    await writing(tx).updateTable('workspace').set({ opened_at: openedAt }).where('id', '=', id).execute();
  },
};
