/**
 * Remembers the answers of a pure function, at most about twice `limit` of them, whatever input arrives.
 */

/**
 * Keeps two generations: when the young one is full it becomes the old one, so words that keep coming stay
 * known while a page full of random strings can neither grow the memory nor push everything out at once.
 */
export function boundedMemo<T>(limit: number, compute: (key: string) => T): (key: string) => T {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (key) => {
    const known = young.get(key) ?? old.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    if (young.size >= limit) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
    return value;
  };
}

/**
 * V8 copies slices shorter than 13 code units and makes longer ones point into their source, so that a longer
 * key kept in a memo would keep the whole page it was cut from alive.
 */
export const longestMemoKey = 12;
