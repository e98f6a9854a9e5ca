/**
 * Chooses the stretch of a text that shows the most of a query: first by distinct phrases, then by distinct
 * tokens, then by how early it stands.
 */

/** A place where a phrase or a token of the query stands. */
export interface Hit {
  start: number;
  end: number;
  /** The phrase or token; equal names count once. */
  name: string;
  isPhrase: boolean;
}

/** More than the number of tokens a query can have: one phrase outweighs them all. */
const phraseWeight = 1000;

/** The hits, given in order of their start, that lie in the best window of `width` characters. */
export function bestWindow(hits: readonly Hit[], width: number): Hit[] {
  const counts = new Map<string, number>();
  let score = 0;
  let first = 0;
  let best: { score: number; first: number; last: number } | undefined;
  for (const [last, hit] of hits.entries()) {
    score += count(counts, hit, 1);
    for (let oldest = hits[first]; oldest !== undefined && first < last; oldest = hits[first]) {
      if (hit.end - oldest.start <= width) break;
      score -= count(counts, oldest, -1);
      first += 1;
    }
    if (best === undefined || score > best.score) best = { score, first, last };
  }
  return best === undefined ? [] : hits.slice(best.first, best.last + 1);
}

/** Adds to the number of hits of a name and says what the name's coming or going is worth. */
function count(counts: Map<string, number>, hit: Hit, change: 1 | -1): number {
  const key = `${hit.isPhrase ? '"' : ''}${hit.name}`;
  const before = counts.get(key) ?? 0;
  counts.set(key, before + change);
  const isEdge = change === 1 ? before === 0 : before === 1;
  if (!isEdge) return 0;
  return hit.isPhrase ? phraseWeight : 1;
}
