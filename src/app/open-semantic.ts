/** Opens search by meaning: embedder, index and indexer, or nothing where the configuration or the package says so. */
import type { Config } from '../config/keys.ts';
import type { MemoryMeaning } from '../domain/memory/nearest-items.ts';
import type { WorkspaceMeans } from '../domain/workspace/means.ts';
import { createSemanticIndex } from '../domain/workspace/semantic/semantic-index.ts';
import type { LiveDirectory } from '../domain/workspace/workspaces.ts';
import type { Store } from '../drivers/store/store.ts';
import type { Log } from '../kernel/log.ts';
import type { ChangeFeed } from '../kernel/ports/change-feed.ts';
import { startMemoryIndexer } from './memory-indexer.ts';
import { openEmbedder } from './open-embedder.ts';
import { createSemanticIndexer } from './semantic-indexer.ts';

export function openSemantic(parts: {
  readonly store: Store;
  readonly directory: LiveDirectory;
  readonly feed: ChangeFeed;
  readonly log: Log;
  readonly config: Config;
  readonly follows: boolean;
}): {
  readonly means: Pick<WorkspaceMeans, 'semantic' | 'indexer'>;
  readonly meaning?: MemoryMeaning;
  close(): Promise<void>;
} {
  const embedder = openEmbedder(parts.config);
  if (!embedder) return { means: {}, close: async () => undefined };
  const indexer = createSemanticIndexer({ ...parts, embedder });
  const stopMemory = parts.follows ? startMemoryIndexer({ ...parts, embedder }) : undefined;
  return {
    meaning: { embedder, vectors: parts.store.memoryVectors },
    means: { semantic: createSemanticIndex({ ...parts.store, embedder, scan: embedder.scan }), indexer },
    async close() {
      await stopMemory?.();
      await indexer.close();
      await embedder.close();
    },
  };
}
