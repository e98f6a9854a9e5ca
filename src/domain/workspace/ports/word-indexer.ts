/** The port to whoever indexes words anew that were indexed by other rules than today's. It never holds up a write. */
import type { WorkspaceId } from '../../../kernel/ids.ts';
import type { IndexingStep, IndexingWish } from './indexing.ts';

export interface WordIndexer {
  /** Works until all pages are indexed by today's rules or the time is over. */
  work(workspace: WorkspaceId, wish: IndexingWish): Promise<IndexingStep>;
}
