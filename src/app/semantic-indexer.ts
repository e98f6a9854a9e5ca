/**
 * Keeps the vectors of pages up to date, beside the calls. What is to be done is read from the log of events, what is
 * done is kept with the vectors themselves, so that whoever comes after a crash goes on where they end.
 */
import type { Embedder } from '../domain/workspace/ports/embedder.ts';
import type { IndexingStep } from '../domain/workspace/ports/indexing.ts';
import type { SemanticIndexer } from '../domain/workspace/ports/semantic-indexer.ts';
import type { PageVectors } from '../domain/workspace/ports/vector-store.ts';
import { passagesOf } from '../domain/workspace/semantic/passages.ts';
import { toVectorBytes } from '../domain/workspace/semantic/vector-bytes.ts';
import type { LiveDirectory } from '../domain/workspace/workspaces.ts';
import type { Store } from '../drivers/store/store.ts';
import type { PageId, WorkspaceId } from '../kernel/ids.ts';
import { faultFields, type Log } from '../kernel/log.ts';
import type { ChangeFeed } from '../kernel/ports/change-feed.ts';
import { Turns } from '../kernel/turns.ts';

export interface IndexerParts {
  readonly store: Pick<Store, 'units' | 'vectors' | 'events' | 'pages'>;
  readonly embedder: Embedder;
  readonly directory: LiveDirectory;
  readonly feed: ChangeFeed;
  readonly log: Log;
  /** True in a program that stays: it follows changes by itself. */
  readonly follows: boolean;
}

/** Pages whose vectors land in one unit: few enough to lose when the power fails. */
const AT_ONCE = 8;
/** Pages that are listed at a time; what changes meanwhile comes first in the next list. */
const LISTED = 1_000;
/** Somebody who is writing goes on writing for a while. */
const AFTER_CHANGE_MS = 1_000;
const AFTER_FAILURE_MS = 60_000;

interface Until {
  readonly signal: AbortSignal;
  onPages?(count: number): void;
}

export function createSemanticIndexer(parts: IndexerParts): SemanticIndexer & { close(): Promise<void> } {
  const { directory, feed, log } = parts;
  const closing = new AbortController();
  const wanted = new Set<WorkspaceId>();
  /** One pass at a time, whoever asked for it. */
  const passes = new Turns();
  let timer: NodeJS.Timeout | undefined;

  const wake = (afterMs: number): void => {
    if (!parts.follows || timer || closing.signal.aborted) return;
    timer = setTimeout(() => {
      timer = undefined;
      passes.take('', followAll).catch((error: unknown) => {
        log.warn('semantic_index_behind', faultFields(error));
        wake(AFTER_FAILURE_MS);
      });
    }, afterMs).unref();
  };
  const followAll = async (): Promise<void> => {
    for (const { id, open } of directory.all()) {
      if (!open || closing.signal.aborted) continue;
      if (wanted.delete(id)) await begin(parts, id);
      await catchUp(parts, id, { signal: closing.signal });
    }
  };
  const unfollow = feed.onChange(() => wake(AFTER_CHANGE_MS));
  wake(AFTER_CHANGE_MS);

  return {
    want(workspace) {
      if (!parts.follows) return;
      wanted.add(workspace);
      wake(0);
    },

    work: (workspace, { anew, untilMs, signal, onStep }) =>
      passes.take('', async () => {
        await begin(parts, workspace, anew);
        const step = await countPages(parts, workspace);
        onStep(step);
        let { indexed } = step;
        await catchUp(parts, workspace, {
          signal: AbortSignal.any([signal, closing.signal, AbortSignal.timeout(untilMs)]),
          onPages(count) {
            indexed = Math.min(step.pages, indexed + count);
            onStep({ pages: step.pages, indexed });
          },
        });
        return countPages(parts, workspace);
      }),

    async close() {
      closing.abort();
      clearTimeout(timer);
      unfollow();
      await passes.ended();
    },
  };
}

const countPages = ({ store, embedder }: IndexerParts, workspace: WorkspaceId): Promise<IndexingStep> =>
  store.units.read((scope) => store.vectors.counts(scope, workspace, embedder.model));

/** From now on the workspace has an index; what another model made is not up to date. */
async function begin({ store, embedder }: IndexerParts, workspace: WorkspaceId, anew = false): Promise<void> {
  const { model } = embedder;
  const progress = await store.units.read((scope) => store.vectors.progress(scope, workspace));
  if (progress?.model === model && !anew) return;
  await store.units.write({ workspace }, async (tx) => {
    if (anew) await store.vectors.clear(tx, workspace);
    await store.vectors.setProgress(tx, workspace, { model, sequence: 0 });
  });
}

async function catchUp(parts: IndexerParts, workspace: WorkspaceId, until: Until): Promise<void> {
  const { store, embedder } = parts;
  while (!until.signal.aborted) {
    const { progress, newest, pages } = await nextPages(parts, workspace);
    if (!progress || (progress.model === embedder.model && progress.sequence >= newest)) return;
    for (let i = 0; i < pages.length && !until.signal.aborted; i += AT_ONCE)
      await indexPages(parts, workspace, pages.slice(i, i + AT_ONCE), until);
    if (pages.length > 0) continue;
    await store.units.write({ workspace }, (tx) =>
      store.vectors.setProgress(tx, workspace, { model: embedder.model, sequence: newest }),
    );
  }
}

/** All from one state of the store: whatever is not in the list is indexed up to the newest event. */
function nextPages({ store, embedder }: IndexerParts, workspace: WorkspaceId) {
  return store.units.read(async (scope) => {
    const progress = await store.vectors.progress(scope, workspace);
    const newest = await store.events.newest(scope, workspace);
    const isSame = progress?.model === embedder.model;
    if (!progress || (isSame && progress.sequence >= newest)) return { progress, newest, pages: [] };
    const after = isSame ? progress.sequence : 0;
    const pages = await store.vectors.pending(scope, workspace, embedder.model, after, LISTED);
    return { progress, newest, pages };
  });
}

async function indexPages(
  parts: IndexerParts,
  workspace: WorkspaceId,
  ids: readonly PageId[],
  until: Until,
): Promise<void> {
  const { store } = parts;
  const pages = await store.units.read((scope) => store.pages.findAll(scope, workspace, ids));
  const made: PageVectors[] = [];
  for (const page of pages) {
    if (until.signal.aborted) break;
    made.push(await embedPage(parts.embedder, page));
  }
  if (made.length === 0) return;
  await store.units.write({ workspace }, async (tx) => {
    for (const vectors of made) await store.vectors.put(tx, workspace, vectors);
  });
  until.onPages?.(made.length);
}

async function embedPage(
  embedder: Embedder,
  page: { id: PageId; version: string; title: string; content: string },
): Promise<PageVectors> {
  const passages = passagesOf(page);
  const vectors = await embedder.embed(
    passages.map(({ text }) => text),
    'passage',
  );
  return {
    page: page.id,
    model: embedder.model,
    version: page.version,
    title: page.title,
    places: passages.map(({ start, end }) => ({ start, end })),
    vectors: Buffer.concat(vectors.map(toVectorBytes)),
  };
}
