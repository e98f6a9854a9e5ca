/** Which memories are nearest to a question by meaning, among those that the filter admits. */
import { SluiceError } from '../../kernel/errors.ts';
import type { MemoryId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { Embedder } from '../workspace/ports/embedder.ts';
import { NEAR } from '../workspace/search/fuse.ts';
import { VECTOR_MIN, VECTOR_STEP } from '../workspace/semantic/vector-bytes.ts';
import type { ItemFilter } from './ports/memory-store.ts';
import type { MemoryVectors } from './ports/memory-vectors.ts';

export interface MemoryMeaning {
  readonly embedder: Embedder;
  readonly vectors: MemoryVectors;
}

/** The newest of so many are compared; older ones are still found by their words. */
const COMPARED = 2_000;

/** Best first; nothing that has nothing to do with the question. */
export async function nearestItems(
  { embedder, vectors }: MemoryMeaning,
  scope: ReadScope,
  workspace: WorkspaceId,
  text: string,
  filter: ItemFilter,
  limit: number,
): Promise<readonly MemoryId[]> {
  if (!embedder.reads(text)) return [];
  const known = await vectors.ofItems(scope, workspace, embedder.model, filter, COMPARED);
  if (known.length === 0) return [];
  const query = await embedQuestion(embedder, text);
  if (!query) return [];
  return known
    .map(({ id, vector }) => ({ id, cosine: cosineOf(query, vector) }))
    .filter(({ cosine }) => cosine >= NEAR)
    .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? 1 : -1))
    .slice(0, limit)
    .map(({ id }) => id);
}

/** Undefined when the embedder fails: then words have to do. */
async function embedQuestion(embedder: Embedder, text: string): Promise<Float32Array | undefined> {
  try {
    return (await embedder.embed([text], 'query'))[0];
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'unavailable') return undefined;
    throw error;
  }
}

/** Both are unit vectors. */
function cosineOf(query: Float32Array, bytes: Uint8Array): number {
  let sum = 0;
  for (const [i, x] of query.entries()) sum += x * (VECTOR_MIN + (bytes[i] ?? 0) * VECTOR_STEP);
  return sum;
}
