/** The port to the trash: one batch an action, with where each page was. */
import type { BatchId, PageId, PrincipalId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';

export interface TrashBatch {
  readonly id: BatchId;
  readonly workspace: WorkspaceId;
  readonly root: PageId;
  readonly at: number;
  readonly principal: PrincipalId;
  readonly principalName: string;
  readonly restoredAt: number | null;
}

export interface TrashItem {
  readonly page: PageId;
  readonly parent: PageId | null;
  readonly position: string;
  readonly slug: string;
}

export interface TrashStore {
  find(scope: ReadScope, workspace: WorkspaceId, id: BatchId): Promise<TrashBatch | undefined>;
  items(scope: ReadScope, batch: BatchId): Promise<readonly TrashItem[]>;
  /** Batches that were not restored, newest first, before the given one. */
  list(
    scope: ReadScope,
    workspace: WorkspaceId,
    limit: number,
    before?: { readonly at: number; readonly id: BatchId },
  ): Promise<readonly TrashBatch[]>;
  add(tx: WriteTx, batch: TrashBatch, items: readonly TrashItem[]): Promise<void>;
  markRestored(tx: WriteTx, id: BatchId, at: number): Promise<void>;
  /** Pages of batches older than that, oldest first; in no more batches than pages are wanted. */
  expired(
    scope: ReadScope,
    workspace: WorkspaceId,
    before: number,
    limit: number,
  ): Promise<readonly PageId[]>;
  /** For good: nothing of these pages is left but their events. Links to them lead nowhere. */
  purge(tx: WriteTx, pages: readonly PageId[]): Promise<void>;
}
