/**
 * Search by meaning: embeds the query, lets the scan compare it with every passage, and admits only pages that are
 * live, wanted and visible, going on until there are enough of them. It never answers from a copy of a page.
 */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { SearchFilter, SearchIndex, SemanticHit, SemanticIndex } from '../ports/search-index.ts';
import type { NearestPage, VectorScan } from '../ports/vector-scan.ts';
import type { VectorStore } from '../ports/vector-store.ts';

export interface SemanticParts {
  readonly embedder: Embedder;
  readonly scan: VectorScan;
  readonly vectors: VectorStore;
  readonly search: SearchIndex;
}

/** Vectors are handed to the scan so many pages at a time. */
const AT_ONCE = 400;
/** A filter that admits no more pages than this is asked first; otherwise the nearest pages are. */
const NARROW = 1_000;
const MOST_QUERIES_KNOWN = 200;

export function createSemanticIndex({ embedder, scan, vectors, search }: SemanticParts): SemanticIndex {
  const shelves = new Map<WorkspaceId, { stamp: number; generation: number }>();
  const filling = new Map<WorkspaceId, Promise<void>>();
  const known = new Map<string, Float32Array>();

  const embedQuery = async (text: string): Promise<Float32Array> => {
    const before = known.get(text);
    if (before) return before;
    const [vector] = await embedder.embed([text], 'query');
    if (known.size >= MOST_QUERIES_KNOWN) known.clear();
    known.set(text, vector as Float32Array);
    return vector as Float32Array;
  };

  const fill = async (scope: ReadScope, workspace: WorkspaceId): Promise<void> => {
    const shelf = shelves.get(workspace);
    const isLost = shelf === undefined || shelf.generation !== scan.generation;
    let stamp = isLost ? 0 : shelf.stamp;
    for (;;) {
      const some = await vectors.since(scope, workspace, embedder.model, stamp, AT_ONCE);
      const last = some.at(-1);
      if (!last) break;
      await scan.put(workspace, some);
      stamp = last.stamp;
      shelves.set(workspace, { stamp, generation: scan.generation });
    }
  };

  /** One at a time for each workspace, so that no two hand over the same vectors. */
  const refresh = (scope: ReadScope, workspace: WorkspaceId): Promise<void> => {
    const filled = (filling.get(workspace) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => fill(scope, workspace));
    filling.set(workspace, filled);
    return filled;
  };

  const admit = async (
    scope: ReadScope,
    workspace: WorkspaceId,
    filter: SearchFilter,
    nearest: readonly NearestPage[],
  ): Promise<SemanticHit[]> => {
    const pages = nearest.map(({ page }) => page as PageId);
    const live = new Map(
      (await search.admit(scope, workspace, filter, pages)).map((hit) => [hit.page, hit.updatedAt]),
    );
    return nearest.flatMap(({ page, passage, score }) => {
      const updatedAt = live.get(page as PageId);
      return updatedAt === undefined ? [] : [{ page: page as PageId, score, updatedAt, passage }];
    });
  };

  return {
    model: embedder.model,
    reads: (text) => embedder.reads(text),

    async search(scope, workspace, text, filter, limit) {
      const query = await embedQuery(text);
      await refresh(scope, workspace);
      const narrow = isFiltered(filter) ? await search.browse(scope, workspace, filter, NARROW) : undefined;
      if (narrow && narrow.length < NARROW) {
        const among = narrow.map(({ page }) => page);
        return admit(scope, workspace, filter, await scan.nearest(workspace, query, limit, among));
      }
      for (let wanted = limit * 2; ; wanted *= 8) {
        const nearest = await scan.nearest(workspace, query, wanted);
        const hits = await admit(scope, workspace, filter, nearest);
        if (hits.length >= limit || nearest.length < wanted) return hits.slice(0, limit);
      }
    },
  };
}

const isFiltered = ({ tags, properties, ...one }: SearchFilter): boolean =>
  tags.length + properties.length > 0 || Object.values(one).some((value) => value !== undefined);
