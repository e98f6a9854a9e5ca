/** The switch that makes a workspace read-only. While it is on no ticket for anything in the workspace can be spent. */
import { requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import type { PermissionStore } from '../ports/permission-store.ts';
import type { Workspace } from '../ports/workspace-store.ts';
import { recordChange } from '../record-change.ts';
import { findWorkspace, type WorkspacesMeans } from '../workspaces.ts';
import type { LiveSights } from './sights.ts';

export interface ReadOnlyMeans extends WorkspacesMeans {
  readonly permissions: PermissionStore;
  readonly sights: LiveSights;
}

export async function switchReadOnly(
  use: ReadOnlyMeans,
  ticket: WriteTicket,
  reference: string,
  readOnly: boolean,
): Promise<{ readonly workspace: Workspace; readonly changed: boolean }> {
  const landing = requireTicket(ticket, 'workspace', 'land');
  const { tx } = landing;
  const workspace = await findWorkspace(use, tx, reference);
  const before = await use.permissions.rules(tx, workspace.id);
  if (before.readOnly === readOnly) return { workspace, changed: false };
  await use.permissions.setReadOnly(tx, workspace.id, readOnly);
  await recordChange(use, landing, workspace.id, [
    {
      kind: 'read_only_switched',
      page: null,
      beforeVersion: null,
      afterVersion: null,
      details: { read_only: readOnly },
    },
  ]);
  use.sights.changed(workspace.id);
  tx.afterCommit(() => use.sights.changed(workspace.id));
  return { workspace, changed: true };
}
