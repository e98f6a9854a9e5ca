/** Finds which items of one sequence are which of another: ordered pairs of equal items, as many as can be had cheaply. */

export type Pair = readonly [a: number, b: number];

/** Above this many comparisons the exact method is left for anchors that occur once on both sides. */
const EXACT_LIMIT = 4_000_000;

export function matchSequences(a: readonly string[], b: readonly string[]): readonly Pair[] {
  const pairs: Pair[] = [];
  matchRange(a, b, 0, a.length, 0, b.length, pairs);
  return pairs;
}

function matchRange(
  a: readonly string[],
  b: readonly string[],
  aFrom: number,
  aTo: number,
  bFrom: number,
  bTo: number,
  pairs: Pair[],
): void {
  let [aStart, bStart, aEnd, bEnd] = [aFrom, bFrom, aTo, bTo];
  while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) pairs.push([aStart++, bStart++]);
  const tail: Pair[] = [];
  while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) tail.push([--aEnd, --bEnd]);
  const size = (aEnd - aStart) * (bEnd - bStart);
  if (size > 0 && size <= EXACT_LIMIT) matchExactly(a, b, aStart, aEnd, bStart, bEnd, pairs);
  else if (size > 0) matchByAnchors(a, b, aStart, aEnd, bStart, bEnd, pairs);
  // One by one: a page may have more lines than a call can have arguments.
  for (const pair of tail.reverse()) pairs.push(pair);
}

/** Longest common subsequence by table. */
function matchExactly(
  a: readonly string[],
  b: readonly string[],
  aFrom: number,
  aTo: number,
  bFrom: number,
  bTo: number,
  pairs: Pair[],
): void {
  const [rows, columns] = [aTo - aFrom, bTo - bFrom];
  const width = columns + 1;
  const length = new Uint32Array((rows + 1) * width);
  const at = (i: number, j: number): number => length[i * width + j] ?? 0;
  for (let i = rows - 1; i >= 0; i -= 1) {
    for (let j = columns - 1; j >= 0; j -= 1) {
      length[i * width + j] =
        a[aFrom + i] === b[bFrom + j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (a[aFrom + i] === b[bFrom + j]) pairs.push([aFrom + i++, bFrom + j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
}

/** Items that occur once on both sides, in the longest run that keeps their order, divide the rest. */
function matchByAnchors(
  a: readonly string[],
  b: readonly string[],
  aFrom: number,
  aTo: number,
  bFrom: number,
  bTo: number,
  pairs: Pair[],
): void {
  const anchors = longestIncreasing(uniquePairs(a, b, aFrom, aTo, bFrom, bTo));
  if (anchors.length === 0) return;
  let [aAt, bAt] = [aFrom, bFrom];
  for (const [i, j] of anchors) {
    matchRange(a, b, aAt, i, bAt, j, pairs);
    pairs.push([i, j]);
    [aAt, bAt] = [i + 1, j + 1];
  }
  matchRange(a, b, aAt, aTo, bAt, bTo, pairs);
}

function uniquePairs(
  a: readonly string[],
  b: readonly string[],
  aFrom: number,
  aTo: number,
  bFrom: number,
  bTo: number,
): readonly Pair[] {
  const inB = onlyPlaces(b, bFrom, bTo);
  const inA = onlyPlaces(a, aFrom, aTo);
  const found: Pair[] = [];
  for (const [item, i] of inA) {
    const j = inB.get(item);
    if (i >= 0 && j !== undefined && j >= 0) found.push([i, j]);
  }
  return found.sort((x, y) => x[0] - y[0]);
}

/** −1 for what occurs more than once. */
function onlyPlaces(items: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let i = from; i < to; i += 1) {
    const item = items[i] ?? '';
    places.set(item, places.has(item) ? -1 : i);
  }
  return places;
}

/** Patience sorting over the second member. */
function longestIncreasing(pairs: readonly Pair[]): readonly Pair[] {
  const tops: number[] = [];
  const previous: number[] = [];
  for (const [k, pair] of pairs.entries()) {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    previous[k] = low > 0 ? (tops[low - 1] ?? -1) : -1;
    tops[low] = k;
  }
  const run: Pair[] = [];
  for (let k = tops.at(-1) ?? -1; k >= 0; k = previous[k] ?? -1) {
    const pair = pairs[k];
    if (pair) run.push(pair);
  }
  return run.reverse();
}
