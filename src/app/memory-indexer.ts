/** Reads memories into vectors, beside the calls; what lacks one is found by its words until then. */
import type { MemoryItem } from '../domain/memory/memory-item.ts';
import type { Embedder } from '../domain/workspace/ports/embedder.ts';
import { toVectorBytes } from '../domain/workspace/semantic/vector-bytes.ts';
import type { LiveDirectory } from '../domain/workspace/workspaces.ts';
import type { Store } from '../drivers/store/store.ts';
import type { WorkspaceId } from '../kernel/ids.ts';
import { faultFields, type Log } from '../kernel/log.ts';
import type { ChangeFeed } from '../kernel/ports/change-feed.ts';

interface IndexerParts {
  readonly store: Pick<Store, 'units' | 'memoryVectors'>;
  readonly embedder: Embedder;
  readonly directory: LiveDirectory;
  readonly feed: ChangeFeed;
  readonly log: Log;
}

/** Few enough to lose when the power fails. */
const AT_ONCE = 16;
/** Whoever remembers something goes on remembering for a while. */
const AFTER_CHANGE_MS = 1_000;

/** Returns what stops it. */
export function startMemoryIndexer(parts: IndexerParts): () => Promise<void> {
  const closing = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const wake = (): void => {
    if (timer || closing.signal.aborted) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = running
        .then(() => indexAll(parts, closing.signal))
        .catch((error: unknown) => parts.log.warn('memory_index_behind', faultFields(error)));
    }, AFTER_CHANGE_MS).unref();
  };
  const unfollow = parts.feed.onChange(wake);
  wake();
  return async () => {
    closing.abort();
    unfollow();
    clearTimeout(timer);
    await running;
  };
}

async function indexAll(parts: IndexerParts, signal: AbortSignal): Promise<void> {
  for (const { id, open } of parts.directory.all()) if (open) await indexMemory(parts, id, signal);
}

/** Until nothing is left to read. */
async function indexMemory(
  { store, embedder }: Pick<IndexerParts, 'store' | 'embedder'>,
  workspace: WorkspaceId,
  signal: AbortSignal,
): Promise<void> {
  const { model } = embedder;
  while (!signal.aborted) {
    const items = await store.units.read((scope) =>
      store.memoryVectors.lacking(scope, workspace, model, AT_ONCE),
    );
    if (items.length === 0) return;
    const vectors = await embedder.embed(items.map(wordsOf), 'passage');
    const made = items.flatMap(({ id }, i) => {
      const vector = vectors[i];
      return vector ? [{ id, vector: toVectorBytes(vector) }] : [];
    });
    await store.units.write({ workspace }, (tx) => store.memoryVectors.put(tx, model, made));
    if (made.length === 0) return;
  }
}

/** The model reads a few hundred words; the beginning of a procedure says what it is about. */
const wordsOf = ({ subject, predicate, name, description, body }: MemoryItem): string =>
  [subject ?? name, predicate, description, body]
    .filter((text) => text !== null)
    .join(' ')
    .slice(0, 2_000)
    .toWellFormed();
