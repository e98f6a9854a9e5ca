/** The port to whoever keeps the vectors of pages up to date. It works beside the calls and never holds up a write. */
import type { WorkspaceId } from '../../../kernel/ids.ts';

export interface IndexingStep {
  readonly pages: number;
  readonly indexed: number;
}

export interface SemanticIndexer {
  /** The workspace is searched by meaning: from now on its index is kept. */
  want(workspace: WorkspaceId): void;
  /** Works until everything is indexed or the time is over; `anew` forgets all vectors first. */
  work(
    workspace: WorkspaceId,
    wish: {
      readonly anew: boolean;
      readonly untilMs: number;
      readonly signal: AbortSignal;
      onStep(step: IndexingStep): void;
    },
  ): Promise<IndexingStep>;
}
