/** The port to what memories mean. Scratch paper has no vectors: all of it is shown in any case. */
import type { MemoryId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { MemoryItem } from '../memory-item.ts';
import type { ItemFilter } from './memory-store.ts';

export interface ItemVector {
  readonly id: MemoryId;
  /** One byte a component. */
  readonly vector: Uint8Array;
}

export interface MemoryVectors {
  /** Live items that this model has not read in their present words. */
  lacking(
    scope: ReadScope,
    workspace: WorkspaceId,
    model: string,
    limit: number,
  ): Promise<readonly MemoryItem[]>;
  put(tx: WriteTx, model: string, vectors: readonly ItemVector[]): Promise<void>;
  /** Of what the filter admits, newest first. */
  ofItems(
    scope: ReadScope,
    workspace: WorkspaceId,
    model: string,
    filter: ItemFilter,
    limit: number,
  ): Promise<readonly ItemVector[]>;
}
