/** The port to comparing a vector with all that are kept. It holds copies; what is true is in the vector store. */
import type { WorkspaceId } from '../../../kernel/ids.ts';

export interface StoredVectors {
  readonly page: string;
  /** The passages' vectors one behind the other. */
  readonly vectors: Uint8Array;
}

export interface NearestPage {
  readonly page: string;
  /** Which of its passages is nearest. */
  readonly passage: number;
  /** The cosine. */
  readonly score: number;
}

export interface VectorScan {
  /** Changes whenever everything held was lost, so that the holder of what is true gives it again. */
  readonly generation: number;
  put(workspace: WorkspaceId, pages: readonly StoredVectors[]): Promise<void>;
  drop(workspace: WorkspaceId): Promise<void>;
  nearest(
    workspace: WorkspaceId,
    query: Float32Array,
    limit: number,
    among?: readonly string[],
  ): Promise<readonly NearestPage[]>;
}
