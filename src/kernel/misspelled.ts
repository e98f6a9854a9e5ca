/** Finds what a word that nobody knows may have been meant to be, among words that are known. */

/** Shorter words are near to too many others. */
export const SHORTEST_CORRECTED = 4;
const LONG = 8;

/** Slips of the keyboard: one in a word, two in a long one. */
export const slipsAllowed = (word: string): number => (word.length >= LONG ? 2 : 1);

/** The known words it may be, those with the fewest slips first; the word itself has none. */
export function wordsNear(
  word: string,
  known: readonly string[],
): readonly { readonly word: string; readonly slips: number }[] {
  const most = slipsAllowed(word);
  return known
    .map((other) => ({ word: other, slips: slipsBetween(word, other, most) }))
    .filter(({ slips }) => slips <= most)
    .sort((a, b) => a.slips - b.slips || (a.word < b.word ? -1 : 1));
}

/** Letters added, left out, replaced or swapped with their neighbour; anything above `most` once it is above. */
export function slipsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let slips = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        slips = Math.min(slips, (beforeLast[j - 2] ?? 0) + 1);
      row.push(slips);
    }
    if (Math.min(...row) > most) return most + 1;
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? most + 1;
}
