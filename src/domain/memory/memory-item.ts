/** A memory item: one thing remembered, of one of four kinds. What it counts as now is worked out, never kept. */
import type { PrincipalKind } from '../../kernel/caller.ts';
import type { MemoryId, PrincipalId, ProposalId, WorkspaceId } from '../../kernel/ids.ts';
import type { EntityVersion, Lifecycle, Origin } from '../../kernel/submission.ts';

export const TIERS = ['working', 'episodic', 'semantic', 'procedural'] as const;
export type Tier = (typeof TIERS)[number];

/** Who an item is for. Working memory is always one thread's. */
export const MEMORY_SCOPES = ['workspace', 'project', 'agent', 'thread'] as const;
export type MemoryScope = (typeof MEMORY_SCOPES)[number];

/** What made an episode: somebody's note, the end of a run or of a thread, or older episodes put together. */
export const ITEM_KINDS = ['note', 'run', 'thread', 'daily', 'weekly'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** How something went that was done. */
export const OUTCOMES = ['success', 'failure'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const MAX_BODY_BYTES: Readonly<Record<Tier, number>> = {
  working: 8 * 1024,
  episodic: 2 * 1024,
  semantic: 1024,
  procedural: 16 * 1024,
};
export const MAX_DESCRIPTION = 200;
export const MAX_NAME = 200;

/** Of one thread; beyond either of them the oldest that is not pinned goes. */
export const WORKING_ITEMS = 32;
export const WORKING_BYTES = 8 * 1024;

const DAY_MS = 24 * 60 * 60 * 1000;
const STALE_AFTER_MS: Partial<Record<Tier, number>> = {
  semantic: 180 * DAY_MS,
  procedural: 90 * DAY_MS,
};
/** A way of doing things that failed this often in a row wants a person's look. */
const FAILURES_TO_REVIEW = 3;

export interface MemoryItem {
  readonly id: MemoryId;
  readonly workspace: WorkspaceId;
  readonly tier: Tier;
  readonly kind: ItemKind;
  readonly scope: MemoryScope;
  /** Whose within the scope: a thread, a principal, a project; empty for the workspace. */
  readonly scopeKey: string;
  readonly owner: PrincipalId;
  readonly ownerName: string;
  readonly ownerKind: PrincipalKind;
  readonly run: string;
  readonly body: string;
  readonly subject: string | null;
  readonly predicate: string | null;
  readonly name: string | null;
  readonly description: string | null;
  /** What it is about, folded: two items of a place with the same one contradict each other or say the same. */
  readonly key: string | null;
  readonly sources: readonly EntityVersion[];
  readonly origin: Origin;
  readonly lifecycle: Lifecycle;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it was written or accepted: of two that hold from the same time the later one counts. */
  readonly landedAt: number;
  readonly observedAt: number;
  readonly validFrom: number;
  /** As whoever wrote it said. */
  readonly validTo: number | null;
  /** From when another one holds instead. */
  readonly endedAt: number | null;
  readonly supersededBy: MemoryId | null;
  /** Superseded because somebody said so, not because of its key. */
  readonly replaced: boolean;
  readonly lastUsedAt: number | null;
  /** Every time it was told again or used. */
  readonly useCount: number;
  /** Of the uses, those that were said to have helped, and those that were not. */
  readonly successes: number;
  readonly failed: number;
  /** How often in a row it failed. */
  readonly failures: number;
  /** The open question to a person whether it is to be kept. */
  readonly look: ProposalId | null;
  /** For an episode: how what it tells of went; null = nobody said. */
  readonly outcome: Outcome | null;
  readonly pinned: boolean;
  /** One more with every change of it. */
  readonly version: number;
  readonly trashedAt: number | null;
  /** For what waits for review: what held when it was written. */
  readonly base: { readonly id: MemoryId; readonly version: number } | null;
  /** Everything it was derived from is gone. */
  readonly unsupported: boolean;
  /** The events of the workspace it tells of. */
  readonly events: { readonly from: number; readonly through: number } | null;
}

export type ItemStatus = 'active' | 'candidate' | 'upcoming' | 'superseded' | 'expired' | 'trashed';

/** Needs a person before it counts; what happened and what a thread holds does not. */
export const needsReview = (tier: Tier): boolean => tier === 'semantic' || tier === 'procedural';

export const awaitsReview = (item: MemoryItem): boolean =>
  needsReview(item.tier) && item.lifecycle !== 'canonical' && item.trashedAt === null;

/** When it stops to hold; null = not known to. */
export function endOf({ validTo, endedAt }: Pick<MemoryItem, 'validTo' | 'endedAt'>): number | null {
  if (validTo === null || endedAt === null) return validTo ?? endedAt;
  return Math.min(validTo, endedAt);
}

export function statusOf(item: MemoryItem, at: number): ItemStatus {
  if (item.trashedAt !== null) return 'trashed';
  if (awaitsReview(item)) return 'candidate';
  const end = endOf(item);
  if (end !== null && end <= at) return end === item.endedAt ? 'superseded' : 'expired';
  return item.validFrom > at ? 'upcoming' : 'active';
}

/** Not used for so long, or failed so often, that somebody should look at it. Never a reason to hide it. */
export function isStale(
  item: Pick<MemoryItem, 'tier' | 'failures' | 'lastUsedAt' | 'createdAt'>,
  at: number,
): boolean {
  const after = STALE_AFTER_MS[item.tier];
  if (item.failures >= FAILURES_TO_REVIEW) return true;
  return after !== undefined && at - (item.lastUsedAt ?? item.createdAt) >= after;
}

export const sizeOf = ({
  body,
  name,
  description,
}: Pick<MemoryItem, 'body' | 'name' | 'description'>): number =>
  Buffer.byteLength(body) + Buffer.byteLength(name ?? '') + Buffer.byteLength(description ?? '');
