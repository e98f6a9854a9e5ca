/** The port to whoever keeps the vectors of pages up to date. It works beside the calls and never holds up a write. */
import type { WorkspaceId } from '../../../kernel/ids.ts';
import type { IndexingStep, IndexingWish } from './indexing.ts';

export interface SemanticIndexer {
  /** The workspace is searched by meaning: from now on its index is kept. */
  want(workspace: WorkspaceId): void;
  /** Works until everything is indexed or the time is over. */
  work(workspace: WorkspaceId, wish: IndexingWish): Promise<IndexingStep>;
}
