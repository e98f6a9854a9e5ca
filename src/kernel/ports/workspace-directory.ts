/** Which workspaces there are and which are open; the gateway binds callers to them without knowing what is in them. */
import type { WorkspaceId } from '../ids.ts';

export interface WorkspaceEntry {
  readonly id: WorkspaceId;
  readonly name: string;
  readonly open: boolean;
  /** Larger = opened later. The open one with the largest is the current one. */
  readonly openedAt: number;
}

export interface WorkspaceDirectory {
  /** By id or name. */
  find(reference: string): WorkspaceEntry | undefined;
  /** Where a caller works that is bound to none: the workspace opened last. */
  current(): WorkspaceEntry | undefined;
}
