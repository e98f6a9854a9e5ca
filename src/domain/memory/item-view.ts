/** How an item is shown: what search and context answer with, as short as it can be. */

import { costOf, shortenText } from './fit-budget.ts';
import { endOf, isStale, type MemoryItem, type Outcome, statusOf } from './memory-item.ts';

export interface ItemView {
  readonly id: string;
  readonly tier: MemoryItem['tier'];
  readonly subject?: string;
  readonly predicate?: string;
  readonly name?: string;
  readonly description?: string;
  readonly body?: string;
  readonly origin?: MemoryItem['origin'];
  readonly status?: ReturnType<typeof statusOf>;
  readonly outcome?: Outcome;
  readonly observed_at?: string;
  readonly valid_to?: string;
  readonly superseded_by?: string;
  readonly pinned?: true;
  /** Wants a person's look: long unused, failed, or with nothing left of what it was made from. */
  readonly stale?: true;
  readonly unsupported?: true;
  readonly truncated?: true;
  readonly score?: number;
  readonly why?: string[];
}

export const isoTime = (at: number): string => new Date(at).toISOString();

/** Ways of doing things are shown by name; their body is read when it is wanted. */
export function viewItem(
  item: MemoryItem,
  at: number,
  found: Pick<ItemView, 'score' | 'why'> = {},
): ItemView {
  const end = endOf(item);
  return {
    id: item.id,
    tier: item.tier,
    ...(item.subject !== null && { subject: item.subject }),
    ...(item.predicate !== null && { predicate: item.predicate }),
    ...(item.name !== null && { name: item.name }),
    ...(item.description !== null && { description: item.description }),
    ...(item.tier !== 'procedural' && { body: item.body }),
    origin: item.origin,
    status: statusOf(item, at),
    ...(item.outcome !== null && { outcome: item.outcome }),
    observed_at: isoTime(item.observedAt),
    ...(end !== null && { valid_to: isoTime(end) }),
    ...(item.supersededBy !== null && { superseded_by: item.supersededBy }),
    ...(item.pinned && { pinned: true }),
    ...(isStale(item, at) && { stale: true }),
    ...(item.unsupported && { unsupported: true }),
    ...found,
  };
}

/** Only what it is and as much of its words as fits; undefined when nothing does. */
export function shortenView({ id, tier, body, description }: ItemView, budget: number): ItemView | undefined {
  const bare: ItemView = { id, tier, body: '', truncated: true };
  const left = budget - costOf(bare) - 1;
  if (left < 1) return undefined;
  return { ...bare, body: shortenText(body ?? description ?? '', left) };
}
