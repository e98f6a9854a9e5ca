/**
 * The port to the vectors of pages as they are kept. They are derived from pages and may lag behind them; which
 * pages exist, are live and may be seen is always asked of the pages themselves.
 */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';

/** A stretch of a page's text that has a vector. */
export interface PassagePlace {
  readonly start: number;
  readonly end: number;
}

export interface PageVectors {
  readonly page: PageId;
  readonly model: string;
  /** What they were made from. */
  readonly version: string;
  readonly title: string;
  readonly places: readonly PassagePlace[];
  /** One behind the other, a byte a component. */
  readonly vectors: Uint8Array;
}

export interface KeptVectors {
  readonly page: PageId;
  readonly vectors: Uint8Array;
  /** Grows with everything that is put into the workspace. */
  readonly stamp: number;
}

/** How far a workspace is. It has none before meaning was first asked for. */
export interface IndexProgress {
  readonly model: string;
  /** Everything up to this event of the workspace is in the index. */
  readonly sequence: number;
}

export interface VectorStore {
  progress(scope: ReadScope, workspace: WorkspaceId): Promise<IndexProgress | undefined>;
  setProgress(tx: WriteTx, workspace: WorkspaceId, progress: IndexProgress): Promise<void>;
  /** Live pages changed after the event whose vectors are missing or of another text or model; newest first. */
  pending(
    scope: ReadScope,
    workspace: WorkspaceId,
    model: string,
    after: number,
    limit: number,
  ): Promise<readonly PageId[]>;
  /** False, and nothing kept, when the page is no longer what they were made from. */
  put(tx: WriteTx, workspace: WorkspaceId, vectors: PageVectors): Promise<boolean>;
  /** In order of stamps, those behind the given one. */
  since(
    scope: ReadScope,
    workspace: WorkspaceId,
    model: string,
    stamp: number,
    limit: number,
  ): Promise<readonly KeptVectors[]>;
  /** Where the passages of each page stand. */
  places(scope: ReadScope, pages: readonly PageId[]): Promise<ReadonlyMap<PageId, readonly PassagePlace[]>>;
  /** Live pages, and how many of them are in the index as they are now. */
  counts(
    scope: ReadScope,
    workspace: WorkspaceId,
    model: string,
  ): Promise<{ readonly pages: number; readonly indexed: number }>;
  /** Forgets all vectors of the workspace. */
  clear(tx: WriteTx, workspace: WorkspaceId): Promise<void>;
}
