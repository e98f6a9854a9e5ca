/** Whose a block is after somebody changed it: the one who did, and everybody whose words may still be in it. */
import { type Attribution, type Authorship, UNKNOWN } from '../ports/provenance-store.ts';

/** More than this and only the newest of each origin are sure to be named. */
const MAX_WRITERS = 8;

export type Known = ReadonlyMap<number, Attribution>;

export const NOBODY_KNOWN: Authorship = { by: [UNKNOWN], restoredBy: null, touchedBy: UNKNOWN };

/** Newest first, each writer once for each origin. */
export function combineWriters(lists: readonly (readonly number[])[], known: Known): readonly number[] {
  const newestFirst = [...new Set(lists.flat())].sort((a, b) => b - a);
  const writers = new Map<string, number>();
  for (const number of newestFirst) {
    const key = writerKey(known.get(number));
    if (!writers.has(key)) writers.set(key, number);
  }
  const all = [...writers.values()];
  if (all.length <= MAX_WRITERS) return all;
  const origins = new Set<string>();
  const first = all.filter((number) => isNew(origins, known.get(number)?.origin ?? ''));
  const rest = all.filter((number) => !first.includes(number)).slice(0, MAX_WRITERS - first.length);
  return [...first, ...rest].sort((a, b) => b - a);
}

const writerKey = (one: Attribution | undefined): string =>
  one ? [one.origin, one.principal, one.acceptedBy ?? ''].join('\n') : '';

function isNew(seen: Set<string>, value: string): boolean {
  if (seen.has(value)) return false;
  seen.add(value);
  return true;
}
