/** The port to whoever indexes words anew that were indexed by other rules than today's. It never holds up a write. */
import type { WorkspaceId } from '../../../kernel/ids.ts';
import type { IndexingStep } from './semantic-indexer.ts';

export interface WordIndexer {
  /** Works until all pages are indexed by today's rules or the time is over; `anew` takes none for indexed. */
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
