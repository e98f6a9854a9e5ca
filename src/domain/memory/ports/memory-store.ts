/** The port to what is remembered. It filters by who asks before it ranks or counts anything. */
import type { MemoryId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { SearchTerm } from '../../workspace/ports/search-index.ts';
import type { ItemKind, MemoryItem, MemoryScope, Tier } from '../memory-item.ts';

/** Who asks, as far as it decides what there is for them. */
export interface Viewer {
  readonly principal: string;
  readonly project: string | null;
  /** The threads whose working memory is theirs; others do not exist for them. */
  readonly threads: readonly string[];
  /** May see what every agent keeps and what waits for review. */
  readonly reviews: boolean;
}

/** Items that are in force at a time, were superseded or expired by then, or wait for review. */
export type Standing = 'in-force' | 'ended' | 'candidate' | 'trashed';

export interface ItemFilter {
  readonly tiers: readonly Tier[];
  readonly viewer: Viewer;
  readonly standing: readonly Standing[];
  /** The time that `standing` is about. */
  readonly at: number;
  readonly observedSince?: number | undefined;
  readonly observedBefore?: number | undefined;
}

/** Where items with the same key compete. */
export interface ItemPlace {
  readonly tier: Tier;
  readonly scope: MemoryScope;
  readonly scopeKey: string;
}

export interface ItemHit {
  readonly id: MemoryId;
  readonly score: number;
}

/** A run that no episode tells of yet, by the workspace's log. */
export interface UntoldRun {
  readonly run: string;
  readonly from: number;
  readonly through: number;
  readonly lastAt: number;
}

export interface TierCount {
  readonly tier: Tier;
  readonly standing: Standing;
  readonly count: number;
  readonly bytes: number;
}

export interface MemoryStore {
  insert(tx: WriteTx, item: MemoryItem, tokens: readonly string[]): Promise<void>;
  /** Writes over all but id, workspace and sources; with tokens also what it is found by. */
  save(tx: WriteTx, item: MemoryItem, tokens?: readonly string[]): Promise<void>;
  /** For good. */
  remove(tx: WriteTx, ids: readonly MemoryId[]): Promise<void>;
  find(scope: ReadScope, workspace: WorkspaceId, ids: readonly MemoryId[]): Promise<readonly MemoryItem[]>;
  /** Newest first by when it was observed, then by id; after the given one. */
  list(
    scope: ReadScope,
    workspace: WorkspaceId,
    filter: ItemFilter,
    limit: number,
    after?: { readonly observedAt: number; readonly id: string },
  ): Promise<readonly MemoryItem[]>;
  count(scope: ReadScope, workspace: WorkspaceId, filter: ItemFilter): Promise<number>;
  /** Best first by BM25. */
  search(
    scope: ReadScope,
    workspace: WorkspaceId,
    terms: readonly SearchTerm[],
    filter: ItemFilter,
    limit: number,
  ): Promise<readonly ItemHit[]>;
  /** How many of each kind this viewer has. */
  countTiers(
    scope: ReadScope,
    workspace: WorkspaceId,
    viewer: Viewer,
    at: number,
  ): Promise<readonly TierCount[]>;
  /** Of what is in force and may grow stale. */
  countStale(
    scope: ReadScope,
    workspace: WorkspaceId,
    viewer: Viewer,
    at: number,
  ): Promise<ReadonlyMap<Tier, number>>;
  /** Everything with this key in this place, reviewed or not. */
  ofKey(
    scope: ReadScope,
    workspace: WorkspaceId,
    place: ItemPlace,
    key: string,
    trash?: 'with trash',
  ): Promise<readonly MemoryItem[]>;
  /** All items of one thread, oldest first. */
  ofThread(scope: ReadScope, workspace: WorkspaceId, thread: string): Promise<readonly MemoryItem[]>;
  /** How many of a principal's items wait for review. */
  countAwaiting(scope: ReadScope, workspace: WorkspaceId, owner: string): Promise<number>;
  /** Live items that name one of these as a source. */
  derivedFrom(
    scope: ReadScope,
    workspace: WorkspaceId,
    ids: readonly MemoryId[],
  ): Promise<readonly MemoryItem[]>;
  /** Items that say they were superseded by one of these. */
  supersededBy(
    scope: ReadScope,
    workspace: WorkspaceId,
    ids: readonly MemoryId[],
  ): Promise<readonly MemoryItem[]>;
  /** Threads in which nothing was written since. */
  idleThreads(
    scope: ReadScope,
    workspace: WorkspaceId,
    since: number,
    owner: string | undefined,
    limit: number,
  ): Promise<readonly string[]>;
  /** Runs among the next so many events, by where they ended; `through` is the last event that was looked at. */
  untoldRuns(
    scope: ReadScope,
    workspace: WorkspaceId,
    events: number,
  ): Promise<{ readonly through: number; readonly runs: readonly UntoldRun[] }>;
  markTold(tx: WriteTx, workspace: WorkspaceId, runs: readonly UntoldRun[]): Promise<void>;
  /** Nothing up to there is left to tell. */
  markAllTold(tx: WriteTx, workspace: WorkspaceId, through: number): Promise<void>;
  /** Oldest first: live, not pinned, not the source of anything live, observed before. */
  oldEpisodes(
    scope: ReadScope,
    workspace: WorkspaceId,
    kinds: readonly ItemKind[],
    before: number,
    owner: string | undefined,
    limit: number,
  ): Promise<readonly MemoryItem[]>;
  /** Episodes to learn from, newest first. */
  recentEpisodes(
    scope: ReadScope,
    workspace: WorkspaceId,
    owner: string | undefined,
    limit: number,
  ): Promise<readonly MemoryItem[]>;
  /** Oldest first; not what was rejected as long as anything it was made from is there. */
  trashedBefore(
    scope: ReadScope,
    workspace: WorkspaceId,
    before: number,
    limit: number,
  ): Promise<readonly MemoryId[]>;
}
