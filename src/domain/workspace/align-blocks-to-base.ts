/** Says for one edited side of a text what became of each base block and what was put between them. */
import { matchSequences, type Pair } from './match-sequences.ts';

/** A block and the blank lines after it; two blocks are the same when their texts are. */
export interface TextBlock {
  readonly text: string;
  readonly gap: string;
}

export interface Side {
  /** For each base block what it is now; null = deleted. */
  readonly blocks: readonly (TextBlock | null)[];
  /** What was put before each base block, and after the last. */
  readonly inserted: readonly (readonly TextBlock[])[];
}

/** Pairs of changed blocks are looked for by similarity only where that is cheap. */
const SIMILARITY_LIMIT = 2_500;

export function alignToBase(base: readonly TextBlock[], side: readonly TextBlock[]): Side {
  const blocks: (TextBlock | null)[] = base.map(() => null);
  const inserted: TextBlock[][] = Array.from({ length: base.length + 1 }, () => []);
  const equal = matchSequences(
    base.map((block) => block.text),
    side.map((block) => block.text),
  );
  let [b, s] = [0, 0];
  for (const [i, j] of [...equal, [base.length, side.length] as const]) {
    placeChanged(base.slice(b, i), side.slice(s, j), b, blocks, inserted);
    const same = side[j];
    if (i < base.length && same) blocks[i] = same;
    [b, s] = [i + 1, j + 1];
  }
  return { blocks, inserted };
}

/** Between two unchanged blocks: which of the new ones are old ones changed, which are insertions. */
function placeChanged(
  gone: readonly TextBlock[],
  come: readonly TextBlock[],
  offset: number,
  blocks: (TextBlock | null)[],
  inserted: TextBlock[][],
): void {
  const pairs = pairChanged(
    gone.map((block) => block.text),
    come.map((block) => block.text),
  );
  const pairOf = new Map(pairs.map(([i, j]) => [j, i]));
  let slot = offset;
  for (const [j, block] of come.entries()) {
    const i = pairOf.get(j);
    if (i === undefined) {
      inserted[slot]?.push(block);
      continue;
    }
    blocks[offset + i] = block;
    slot = offset + i + 1;
  }
}

function pairChanged(gone: readonly string[], come: readonly string[]): readonly Pair[] {
  return gone.length === come.length ? gone.map((_, i) => [i, i]) : pairSimilar(gone, come);
}

/** Which of the texts that came is which of those that went; by their order alone where there are too many. */
export function pairSimilar(gone: readonly string[], come: readonly string[]): readonly Pair[] {
  if (gone.length * come.length > SIMILARITY_LIMIT) {
    return gone.slice(0, come.length).map((_, i) => [i, i]);
  }
  return mostSimilarPairs(gone.map(wordsOf), come.map(wordsOf));
}

/** The order-keeping pairing with the greatest sum of similarities. */
function mostSimilarPairs(
  a: readonly ReadonlySet<string>[],
  b: readonly ReadonlySet<string>[],
): readonly Pair[] {
  const score: number[][] = Array.from({ length: a.length + 1 }, () =>
    new Array<number>(b.length + 1).fill(0),
  );
  const at = (i: number, j: number): number => score[i]?.[j] ?? 0;
  const pairScore = (i: number, j: number): number => at(i + 1, j + 1) + similarity(a[i], b[j]);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = score[i];
      if (row) row[j] = Math.max(at(i + 1, j), at(i, j + 1), pairScore(i, j));
    }
  }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (at(i, j) === at(i + 1, j)) i += 1;
    else if (at(i, j) === at(i, j + 1)) j += 1;
    else pairs.push([i++, j++]);
  }
  return pairs;
}

/** Shared words over all words; blocks without any in common are never a pair. */
function similarity(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): number {
  if (!a || !b) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared / Math.max(1, a.size + b.size - shared);
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).slice(0, 200));
