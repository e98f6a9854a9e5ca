/** Everything a thread should have in mind, of all tiers, within one budget: what a model is shown before it goes on. */
import type { Caller } from '../../kernel/caller.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { fitBudget } from './fit-budget.ts';
import { type ItemView, shortenView, viewItem } from './item-view.ts';
import type { MemoryItem, Tier } from './memory-item.ts';
import type { Viewer } from './ports/memory-store.ts';
import { filterOf, rankItems, type SearchMeans } from './search-items.ts';
import { withShownSuccessors } from './shown-sources.ts';
import { viewerOf } from './viewer.ts';

/** How much of the budget each tier may take; what one leaves goes to the next. */
const BUDGET_SHARES: Readonly<Record<Tier, number>> = {
  working: 600,
  procedural: 400,
  semantic: 800,
  episodic: 800,
};
export const DEFAULT_BUDGET = Object.values(BUDGET_SHARES).reduce((sum, share) => sum + share, 0);
/** For what stands around the items. */
const FRAME_TOKENS = 100;
/** As much of what a thread is about as makes a question. */
const QUERY_LENGTH = 500;

export interface ContextWish {
  readonly thread?: string | undefined;
  readonly query?: string | undefined;
  readonly budget: number;
}

export interface MemoryContext {
  readonly tiers: Readonly<Record<Tier, readonly ItemView[]>>;
  /** How many there were that did not fit. */
  readonly left: Readonly<Record<Tier, number>>;
  /** What the caller was shown of. */
  readonly read: readonly MemoryItem[];
}

export async function memoryContext(
  use: SearchMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  caller: Caller,
  wish: ContextWish,
  now: number,
): Promise<MemoryContext> {
  const viewer = viewerOf(caller, wish.thread);
  const working = await ofTier(use, scope, workspace, viewer, 'working', '', now);
  const query =
    wish.query ??
    working
      .map(({ body }) => body)
      .join('\n')
      .slice(0, QUERY_LENGTH)
      .toWellFormed();
  const budget = wish.budget - FRAME_TOKENS;
  const tiers: Record<Tier, readonly ItemView[]> = {
    working: [],
    procedural: [],
    semantic: [],
    episodic: [],
  };
  const left: Record<Tier, number> = { working: 0, procedural: 0, semantic: 0, episodic: 0 };
  const read: MemoryItem[] = [];
  let unspent = 0;
  for (const tier of Object.keys(BUDGET_SHARES) as Tier[]) {
    const items =
      tier === 'working' ? working : await ofTier(use, scope, workspace, viewer, tier, query, now);
    const share = Math.floor((budget * BUDGET_SHARES[tier]) / DEFAULT_BUDGET) + unspent;
    const { shown, cost } = fitBudget(
      items.map((item) => viewItem(item, now)),
      share,
      shortenView,
    );
    tiers[tier] = shown;
    read.push(...items.slice(0, shown.length));
    left[tier] = items.length - shown.length;
    unspent = share - cost;
  }
  return { tiers, left, read };
}

/** What matches first; then what is new, so that nobody who asks nothing special gets nothing. */
async function ofTier(
  use: SearchMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  viewer: Viewer,
  tier: Tier,
  query: string,
  now: number,
): Promise<readonly MemoryItem[]> {
  const filter = filterOf(viewer, { tiers: [tier], includeSuperseded: false, includeCandidates: false }, now);
  const matching = await rankItems(use, scope, workspace, query, filter, now);
  const newest = query === '' ? [] : await rankItems(use, scope, workspace, '', filter, now);
  const all = new Map([...matching, ...newest].map(({ item }) => [item.id, item]));
  return withShownSuccessors(use, scope, [...all.values()]);
}
