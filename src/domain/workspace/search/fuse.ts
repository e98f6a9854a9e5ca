/**
 * Joins what was found by words and what was found by meaning, by rank alone: scores of the two cannot be compared.
 * The numbers are measured (`npm run bench -- retrieval`).
 */
import type { SearchHit, SemanticHit } from '../ports/search-index.ts';

export interface FusedHit extends SearchHit {
  /** Found by words; otherwise by meaning alone. */
  readonly byWords: boolean;
  /** Found only by reading a word as another one. */
  readonly misspelled?: true;
  /** The words of the query stand in it as one phrase, though nobody asked for that. */
  readonly together?: true;
  /** The nearest passage and its cosine, if it is near at all. */
  readonly passage?: number;
  readonly cosine?: number;
}

/** The smaller, the more the first places count. */
const RANK_OFFSET = 20;
/** Below 1, so that what has none of the words never passes the best of what has them; at best it comes tenth to them. */
const MEANING_WEIGHT = 0.7;
/** Below this cosine two texts have nothing to do with each other; titles alone come near .3 even to what is no word. */
export const NEAR = 0.3;

/**
 * `unread` pages are not in the index by meaning yet: their words stand in for it, so that new pages do not sink.
 * So many of `byWords` were `before` the first.
 */
export function fuse(
  byWords: readonly SearchHit[],
  byMeaning: readonly SemanticHit[],
  unread: ReadonlySet<string> = new Set(),
  before = 0,
): FusedHit[] {
  const fused = new Map<string, FusedHit>();
  for (const [i, hit] of byWords.entries())
    fused.set(hit.page, {
      ...hit,
      score: (unread.has(hit.page) ? 1 + MEANING_WEIGHT : 1) / (RANK_OFFSET + before + i + 1),
      byWords: true,
    });
  for (const [i, { page, score: cosine, updatedAt, passage }] of byMeaning.entries()) {
    const found = fused.get(page);
    if (!found && cosine < NEAR) continue;
    const score = (found?.score ?? 0) + MEANING_WEIGHT / (RANK_OFFSET + i + 1);
    fused.set(page, {
      ...(found ?? { page, updatedAt, byWords: false }),
      score,
      passage,
      cosine,
    } as FusedHit);
  }
  return [...fused.values()];
}
