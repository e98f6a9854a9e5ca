/**
 * What holds when, among items that speak of the same thing: each holds until the next one begins. Worked out anew from
 * the items themselves whenever one comes or goes, so that taking one away lets the one before it hold again.
 */
import type { MemoryId } from '../../kernel/ids.ts';
import type { MemoryItem } from './memory-item.ts';

export interface Ending {
  readonly id: MemoryId;
  readonly endedAt: number | null;
  readonly supersededBy: MemoryId | null;
}

/** In the order in which they took effect; of two that began at once the one written later is the later one. */
export function inOrder(items: readonly MemoryItem[]): readonly MemoryItem[] {
  return items.toSorted(
    (a, b) => a.validFrom - b.validFrom || a.landedAt - b.landedAt || (a.id < b.id ? -1 : 1),
  );
}

/** Told of the past when it was already over: it is history and ends nothing that still holds. */
const wasOver = ({ validTo, createdAt }: MemoryItem): boolean => validTo !== null && validTo <= createdAt;

/** The endings that are not yet as they should be. What somebody replaced keeps its own, and ends what was before it. */
export function endings(items: readonly MemoryItem[]): readonly Ending[] {
  const found: Ending[] = [];
  let next: MemoryItem | undefined;
  for (const item of inOrder(items).toReversed()) {
    const ends = next && (item.validTo === null || next.validFrom < item.validTo) ? next : undefined;
    const ending = { id: item.id, endedAt: ends?.validFrom ?? null, supersededBy: ends?.id ?? null };
    if (!item.replaced && !isEndedSo(item, ending)) found.push(ending);
    if (!wasOver(item)) next = item;
  }
  return found;
}

const isEndedSo = (item: MemoryItem, { endedAt, supersededBy }: Ending): boolean =>
  endedAt === item.endedAt && supersededBy === item.supersededBy;
