/** Search in memory: what is in force unless asked for more, ranked tier by tier, within a budget of tokens. */
import { z } from 'zod';
import type { Caller } from '../../kernel/caller.ts';
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { invalidInput } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from '../workspace/cursor.ts';
import { parseQuery } from '../workspace/search/parse-query.ts';
import { fitBudget } from './fit-budget.ts';
import { statementKey } from './item-rules.ts';
import { type ItemView, shortenView, viewItem } from './item-view.ts';
import type { MemoryMeans } from './means.ts';
import type { MemoryItem, Tier } from './memory-item.ts';
import { nearestItems } from './nearest-items.ts';
import type { ItemFilter, Standing, Viewer } from './ports/memory-store.ts';
import { fuseRanks, modifierOf } from './rank-items.ts';
import { withShownSuccessors } from './shown-sources.ts';
import { viewerOf } from './viewer.ts';

export interface MemoryQuery {
  readonly query: string;
  readonly tiers: readonly Tier[];
  /** What was in force then. */
  readonly asOf?: number | undefined;
  readonly includeSuperseded: boolean;
  readonly includeCandidates: boolean;
  readonly observedSince?: number | undefined;
  readonly observedBefore?: number | undefined;
  readonly budget: number;
  readonly cursor?: string | undefined;
}

export interface MemoryAnswer {
  readonly items: readonly ItemView[];
  /** What the caller was shown of. */
  readonly read: readonly MemoryItem[];
  /** What matches the filters but was left out, because something else holds now or nobody looked at it yet. */
  readonly hidden: { readonly superseded: number; readonly candidates: number };
  readonly nextCursor?: string;
}

export interface RankedItem {
  readonly item: MemoryItem;
  readonly score: number;
  readonly why: string[];
}

/** What searching needs. */
export type SearchMeans = Pick<MemoryMeans, 'memory' | 'meaning'>;

/** How many candidates are looked at; nobody pages through more. */
const WINDOW = 200;
/** For everything in the answer besides the items. */
const FRAME_TOKENS = 120;

const place = z.object({ of: z.string(), id: z.string(), at: z.int().min(0) });

export async function searchMemory(
  use: SearchMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  caller: Caller,
  wish: MemoryQuery,
  now: number,
): Promise<MemoryAnswer> {
  const { cursor, budget, ...asked } = wish;
  const of = sha256Hex(JSON.stringify([caller.principal.id, asked])).slice(0, 16);
  const after = cursor === undefined ? undefined : readCursor(cursor, place);
  if (after && after.of !== of) throw invalidInput('cursor', 'belongs to another search');
  const filter = filterOf(viewerOf(caller), wish, now);
  const ranked = await rankItems(use, scope, workspace, wish.query, filter, now);
  const start = after ? placeAfter(ranked, after) : 0;
  const rest = ranked.slice(start);
  const told = await withShownSuccessors(
    use,
    scope,
    rest.map(({ item }) => item),
  );
  const views = told.map((item, i) => viewItem(item, filter.at, foundAs(rest[i])));
  const { shown } = fitBudget(views, budget - FRAME_TOKENS, shortenView);
  const last = shown.at(-1);
  const more = last && shown.length < views.length;
  return {
    items: shown,
    read: ranked.slice(start, start + shown.length).map(({ item }) => item),
    hidden: await countHidden(use, scope, workspace, wish, filter),
    ...(more && { nextCursor: writeCursor({ of, id: last.id, at: start + shown.length }) }),
  };
}

const foundAs = (found: RankedItem | undefined): Pick<ItemView, 'score' | 'why'> =>
  found ? { score: found.score, why: found.why } : {};

/** Behind the one shown last, wherever it stands now; where it is gone, where it stood. */
function placeAfter(ranked: readonly RankedItem[], { id, at }: z.output<typeof place>): number {
  const found = ranked.findIndex(({ item }) => item.id === id);
  return found < 0 ? Math.max(at - 1, 0) : found + 1;
}

export function filterOf(
  viewer: Viewer,
  wish: Pick<
    MemoryQuery,
    'tiers' | 'asOf' | 'includeSuperseded' | 'includeCandidates' | 'observedSince' | 'observedBefore'
  >,
  now: number,
): ItemFilter {
  const standing: Standing[] = ['in-force'];
  if (wish.includeSuperseded) standing.push('ended');
  if (wish.includeCandidates) standing.push('candidate');
  const { tiers, observedSince, observedBefore } = wish;
  return { tiers, viewer, standing, at: wish.asOf ?? now, observedSince, observedBefore };
}

async function countHidden(
  use: SearchMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: MemoryQuery,
  filter: ItemFilter,
): Promise<MemoryAnswer['hidden']> {
  const count = async (standing: Standing, asked: boolean): Promise<number> => {
    if (asked) return 0;
    const hits = await matching(use, scope, workspace, wish.query, { ...filter, standing: [standing] });
    return hits ?? use.memory.count(scope, workspace, { ...filter, standing: [standing] });
  };
  return {
    superseded: await count('ended', wish.includeSuperseded),
    candidates: await count('candidate', wish.includeCandidates),
  };
}

/** Undefined when the query says nothing to look for. */
async function matching(
  use: SearchMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  query: string,
  filter: ItemFilter,
): Promise<number | undefined> {
  const terms = termsOf(query);
  if (terms.length === 0) return undefined;
  return (await use.memory.search(scope, workspace, terms, filter, WINDOW)).length;
}

function termsOf(query: string) {
  const { tokens, weights } = parseQuery(query);
  return tokens.map((token, i) => ({ token, weight: weights[i] ?? 1 }));
}

/** Best first, what holds before what holds no more. Without a query newest first. */
export async function rankItems(
  use: SearchMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  query: string,
  filter: ItemFilter,
  now: number,
): Promise<readonly RankedItem[]> {
  const terms = termsOf(query);
  if (terms.length === 0) {
    const items = await use.memory.list(scope, workspace, filter, WINDOW);
    return items.map((item) => ({ item, score: 0, why: ['newest first'] }));
  }
  // Ranked apart: former values say the same words, and many of them would leave no room for the present one.
  const [holding, ended] = [filter.standing.filter((standing) => standing !== 'ended'), ['ended'] as const];
  const parts = filter.standing.includes('ended') ? [holding, ended] : [holding];
  const ranked: RankedItem[] = [];
  for (const standing of parts)
    ranked.push(...(await rankMatching(use, scope, workspace, query, { ...filter, standing }, now)));
  return ranked;
}

/** An exact subject or name before everything else. */
async function rankMatching(
  use: SearchMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  query: string,
  filter: ItemFilter,
  now: number,
): Promise<readonly RankedItem[]> {
  const terms = termsOf(query);
  const byWords = (await use.memory.search(scope, workspace, terms, filter, WINDOW)).map(({ id }) => id);
  const byMeaning = use.meaning
    ? await nearestItems(use.meaning, scope, workspace, query, filter, WINDOW)
    : [];
  const ids = [...new Set([...byWords, ...byMeaning])];
  const found = new Map((await use.memory.find(scope, workspace, ids)).map((item) => [item.id, item]));
  const [words, meaning] = [byWords, byMeaning].map((list) => new Map(list.map((id, rank) => [id, rank])));
  const wanted = statementKey(query);
  const ranked = ids.flatMap((id) => {
    const item = found.get(id);
    if (!item) return [];
    const exact = [item.subject, item.name].some((name) => name !== null && statementKey(name) === wanted);
    const score = fuseRanks(words?.get(id), meaning?.get(id)) * modifierOf(item, now);
    const why = [
      ...(exact ? ['exact subject'] : []),
      ...(words?.has(id) ? ['words'] : []),
      ...(meaning?.has(id) ? ['meaning'] : []),
    ];
    return [{ item, exact, score: Number(score.toFixed(6)), why }];
  });
  return ranked.toSorted(
    (a, b) =>
      Number(b.exact) - Number(a.exact) ||
      b.score - a.score ||
      b.item.observedAt - a.item.observedAt ||
      (a.item.id < b.item.id ? 1 : -1),
  );
}

/** What an answer with nothing in it costs; for callers with a small budget. */
export const SMALLEST_BUDGET = FRAME_TOKENS + 80;
