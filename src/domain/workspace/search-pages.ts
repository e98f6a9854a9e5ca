/** Search: the index offers candidates, what they really say decides the order and the reasons. */
import { sha256Hex } from '../../kernel/canonical-json.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { findAllCalled, findPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import type { SearchFilter } from './ports/search-index.ts';
import { parseQuery } from './search/parse-query.ts';
import { conditionsOf, type PropertyWishes } from './search/property-wishes.ts';
import type { SearchQuery } from './search/search-query.ts';
import {
  type Candidates,
  findCandidates,
  type Looking,
  type MeaningState,
  type SearchMode,
} from './search-candidates.ts';
import {
  behindHit,
  type RankedHit,
  readPlace,
  restOf,
  type SearchPlace,
  writePlace,
} from './search-cursor.ts';
import { describeHits, type SearchResult } from './search-describe.ts';
import { rankHits } from './search-rank.ts';

export interface SearchWish {
  readonly query: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly mode: SearchMode;
  readonly filters: {
    readonly tags?: readonly string[] | undefined;
    readonly properties?: PropertyWishes | undefined;
    readonly under?: string | undefined;
    readonly origin?: string | undefined;
    readonly lifecycle?: string | undefined;
    readonly updatedSince?: number | undefined;
  };
}

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  /** What was really used. */
  readonly mode: SearchMode;
  readonly meaning: MeaningState;
  /** More pages match than there are results to page through; narrower words or filters find the rest. */
  readonly truncated: boolean;
  readonly nextCursor?: string;
}

export async function searchPages(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: SearchWish,
): Promise<SearchAnswer> {
  const query = parseQuery(wish.query);
  const filter = await filterOf(use, scope, workspace, query, wish);
  const of = sha256Hex(JSON.stringify([wish.query, wish.filters, wish.mode])).slice(0, 16);
  const from = readPlace(wish.cursor, of);
  const { found, shown, next } = await lookFrom({ use, scope, workspace, query, filter }, wish, from);
  return {
    results: await describeHits(use, scope, workspace, { query, secondTry: found.secondTry }, shown),
    mode: found.mode,
    meaning: found.meaning,
    truncated: found.truncated,
    ...(next && { nextCursor: writePlace(next, of) }),
  };
}

/** Where phrases and exclusions let few candidates through, a call looks no further, and its cursor leads on. */
const MOST_WINDOWS = 3;

async function lookFrom(
  look: Looking,
  { mode, limit }: SearchWish,
  from: SearchPlace,
): Promise<{ found: Candidates; shown: readonly RankedHit[]; next?: SearchPlace }> {
  const shown: RankedHit[] = [];
  let place = from;
  for (let windows = 1; ; windows += 1) {
    const found = await findCandidates(look, mode, place.past);
    const ranked = await rankHits(look.use, look.scope, look.workspace, look.query, found.hits);
    const rest = restOf(ranked, place);
    const taken = rest.slice(0, limit - shown.length);
    shown.push(...taken);
    const last = taken.at(-1);
    if (last && taken.length < rest.length)
      return { found, shown, next: { ...place, last: behindHit(last) } };
    if (!found.past) return { found, shown };
    place = { past: found.past };
    if (shown.length === limit || windows === MOST_WINDOWS) return { found, shown, next: place };
  }
}

async function filterOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  query: SearchQuery,
  { filters }: SearchWish,
): Promise<SearchFilter> {
  const given = conditionsOf(filters.properties ?? {});
  return {
    tags: [...(filters.tags ?? []), ...query.filters.tags],
    withoutTags: query.filters.withoutTags,
    properties: [...given, ...query.filters.properties],
    under: await placesOf(use, scope, workspace, filters.under, query.filters.under),
    origin: filters.origin ?? query.filters.origin,
    lifecycle: filters.lifecycle ?? query.filters.lifecycle,
    updatedSince: filters.updatedSince,
  };
}

/** A query is only text: a place that is not there holds nothing, and one of several is each of them. */
async function placesOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  filter: string | undefined,
  written: string | undefined,
): Promise<readonly PageId[] | undefined> {
  if (filter !== undefined) return [(await findPage(use, scope, workspace, filter, 'filters.under')).id];
  return written === undefined ? undefined : findAllCalled(use, scope, workspace, written);
}
