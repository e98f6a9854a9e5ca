/** The port to the workspaces themselves. */
import type { WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';

export interface Workspace {
  readonly id: WorkspaceId;
  readonly name: string;
  readonly createdAt: number;
  /** Null = closed. */
  readonly openedAt: number | null;
  readonly readOnly: boolean;
}

export interface WorkspaceStore {
  all(scope: ReadScope): Promise<readonly Workspace[]>;
  /** A new one can be written to. Refuses a name that another one has, whatever its case. */
  insert(tx: WriteTx, workspace: Omit<Workspace, 'readOnly'>): Promise<void>;
  setOpened(tx: WriteTx, id: WorkspaceId, openedAt: number | null): Promise<void>;
}
