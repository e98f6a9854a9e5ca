/** The port to what changes in workspaces, told once it is durable. It says that something changed, never what to. */
import type { WorkspaceId } from '../ids.ts';

export interface EntityChange {
  readonly workspace: WorkspaceId;
  /** The id of what changed; null for the workspace itself. */
  readonly entity: string | null;
}

export interface ChangeFeed {
  onChange(listener: (change: EntityChange) => void): () => void;
}
