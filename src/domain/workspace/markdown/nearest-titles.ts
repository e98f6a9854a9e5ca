/** Picks the headings whose titles come nearest to one that was not found, to offer them in the answer. */

interface Titled {
  readonly title: string;
  readonly path: readonly string[];
}

const MOST = 5;
const LEAST_LIKENESS = 0.35;
/** Enough to tell titles apart, and a bound on the cost of a long one. */
const COMPARED_LENGTH = 120;

/** Up to five paths, joined by `#` so that they can be used as references, best first. */
export function nearest(headings: readonly Titled[], wanted: string): readonly string[] {
  const pairs = pairsOf(wanted.split('#').at(-1) ?? '');
  return headings
    .map((heading) => ({ path: heading.path.join('#'), likeness: likeness(pairs, pairsOf(heading.title)) }))
    .filter((candidate) => candidate.likeness >= LEAST_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MOST)
    .map((candidate) => candidate.path);
}

/** Dice's measure over pairs of neighbouring characters. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return a.size + b.size === 0 ? 0 : (2 * shared) / (a.size + b.size);
}

function pairsOf(title: string): ReadonlySet<string> {
  const letters = [
    ...title
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\p{P}\p{Z}\p{C}]+/gu, ''),
  ];
  const pairs = new Set<string>();
  for (let i = 0; i < Math.min(letters.length, COMPARED_LENGTH); i++) {
    pairs.add(`${letters[i]}${letters[i + 1] ?? ''}`);
  }
  return pairs;
}
