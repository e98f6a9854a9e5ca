/**
 * The order within a tier: how well it matches, changed by how new, how used and how certain it is. The change is
 * bounded, so that it reorders and never hides.
 */
import type { MemoryItem, Tier } from './memory-item.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How fast what a tier holds grows old; a way of doing things does not. */
const AGES_IN_MS: Partial<Record<Tier, number>> = {
  working: DAY_MS / 24,
  episodic: 3 * DAY_MS,
  semantic: 180 * DAY_MS,
};
const LEAST = 0.3;
const MOST = 1.5;
/** What reciprocal rank fusion is usually damped by. */
const DAMPING = 60;

/** Below 1, so that what has none of the words never passes the best of what has them. */
const MEANING_WEIGHT = 0.9;

/** From ranks that count from 0; where a list does not have the item, it adds nothing. */
export function fuseRanks(byWords: number | undefined, byMeaning: number | undefined): number {
  const part = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / (DAMPING + rank + 1));
  return part(byWords) + MEANING_WEIGHT * part(byMeaning);
}

export function recencyOf(tier: Tier, ageMs: number): number {
  const age = AGES_IN_MS[tier];
  return age === undefined ? 1 : 0.5 + 0.5 * Math.exp(-Math.max(ageMs, 0) / age);
}

/** From 0.8 for what nobody used yet towards 1.2; a use that failed speaks against it as much as another speaks for it. */
export function useFactor({ useCount, failed }: Pick<MemoryItem, 'useCount' | 'failed'>): number {
  return 0.8 + 0.4 * (1 - Math.exp(-Math.max(useCount - 2 * failed, 0) / 5));
}

export function modifierOf(item: MemoryItem, at: number): number {
  const all = recencyOf(item.tier, at - item.observedAt) * useFactor(item) * item.confidence;
  return Math.min(Math.max(all, LEAST), MOST);
}
