/** What tools about the indexes work with besides the workspace. */
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import type { WordIndexer } from '../../domain/workspace/ports/word-indexer.ts';

export interface IndexMeans extends WorkspaceMeans {
  readonly words: WordIndexer;
}
