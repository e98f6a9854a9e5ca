/** Search: the index offers candidates, what they really say decides the order and the reasons. */
import { z } from 'zod';
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { findPage } from './find-page.ts';
import { outline } from './markdown/outline.ts';
import type { WorkspaceMeans } from './means.ts';
import { nameKey } from './names.ts';
import type { Page, PageHeader } from './page.ts';
import { mentionsOf, type PageMention } from './page-links.ts';
import type { SearchFilter, SearchHit } from './ports/search-index.ts';
import { explainMatch } from './search/explain-match.ts';
import { matchText, type TextMatch } from './search/match-text.ts';
import { parseQuery } from './search/parse-query.ts';
import type { SearchQuery } from './search/search-query.ts';
import { makeSnippet, type Snippet } from './search/snippet.ts';

export const SEARCH_MODES = ['hybrid', 'text', 'semantic'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export interface SearchWish {
  readonly query: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly mode: SearchMode;
  readonly filters: {
    readonly tags?: readonly string[] | undefined;
    readonly properties?: Readonly<Record<string, string | number | boolean>> | undefined;
    readonly under?: string | undefined;
    readonly origin?: string | undefined;
    readonly lifecycle?: string | undefined;
    readonly updatedSince?: number | undefined;
  };
}

export interface SearchResult {
  readonly page: Page;
  readonly mention: PageMention;
  readonly score: number;
  readonly snippet: Snippet;
  readonly block?: string;
  readonly why: readonly string[];
}

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  /** What was really used: `text` as long as no embedder is active. */
  readonly mode: 'text' | 'semantic';
  readonly nextCursor?: string;
}

/** How many candidates are looked at; nobody pages through more. */
const WINDOW = 200;

const place = z.object({
  of: z.string(),
  rank: z.int().min(0),
  score: z.number(),
  at: z.number(),
  id: z.string(),
});
type Place = z.output<typeof place>;

export async function searchPages(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: SearchWish,
): Promise<SearchAnswer> {
  const query = parseQuery(wish.query);
  const filter = await filterOf(use, scope, workspace, query, wish);
  const of = sha256Hex(JSON.stringify([wish.query, wish.filters, wish.mode])).slice(0, 16);
  const after = wish.cursor === undefined ? undefined : checkPlace(readCursor(wish.cursor, place), of);
  const mode = modeOf(use, wish.mode);
  const hits = await candidates(use, scope, workspace, query, filter, mode);
  const called = hasFilter(filter) ? [] : await calledSo(use, scope, workspace, query, hits);
  const ranked = await rank(use, scope, workspace, query, [...hits, ...called]);
  const rest = after ? restAfter(ranked, after) : ranked;
  const shown = rest.slice(0, wish.limit);
  const mentions = await mentionsOf(use, scope, workspace, new Set(shown.map((hit) => hit.page)));
  const results: SearchResult[] = [];
  for (const hit of shown) {
    const page = await use.pages.find(scope, workspace, hit.page);
    const mention = mentions.get(hit.page);
    if (page && mention) results.push(await describeHit(use, scope, query, page, mention, hit.score));
  }
  const last = shown.at(-1);
  const more = rest.length > shown.length && last;
  return {
    results,
    mode,
    ...(more && {
      nextCursor: writeCursor({ of, rank: last.rank, score: last.score, at: last.updatedAt, id: last.page }),
    }),
  };
}

function modeOf(use: WorkspaceMeans, wanted: SearchMode): 'text' | 'semantic' {
  if (wanted !== 'semantic') return 'text';
  if (use.semantic) return 'semantic';
  throw new SluiceError(
    'unavailable',
    'No embedder is active, so there is no search by meaning; use mode "text"',
  );
}

async function candidates(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  query: SearchQuery,
  filter: SearchFilter,
  mode: 'text' | 'semantic',
): Promise<readonly SearchHit[]> {
  if (query.empty && !hasFilter(filter)) return [];
  if (mode === 'semantic' && use.semantic)
    return use.semantic.search(scope, workspace, query.text, filter, WINDOW);
  if (query.tokens.length === 0) return use.search.browse(scope, workspace, filter, WINDOW);
  const terms = query.tokens.map((token, i) => ({ token, weight: query.weights[i] ?? 1 }));
  return use.search.search(scope, workspace, terms, filter, WINDOW);
}

/** Pages called exactly what was asked for, if there were too many candidates for them to be among. */
async function calledSo(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  query: SearchQuery,
  hits: readonly SearchHit[],
): Promise<readonly SearchHit[]> {
  if (hits.length < WINDOW) return [];
  const known = new Set(hits.map((hit) => hit.page));
  const named = await use.pages.named(scope, workspace, [nameKey(query.text)]);
  return named
    .filter(({ page, kind }) => kind === 'title' && !known.has(page.id))
    .map(({ page }) => ({ page: page.id, score: hits.at(-1)?.score ?? 0, updatedAt: page.updatedAt }));
}

const hasFilter = (filter: SearchFilter): boolean =>
  filter.tags.length > 0 ||
  filter.properties.length > 0 ||
  [filter.under, filter.origin, filter.lifecycle, filter.updatedSince].some((value) => value !== undefined);

/** A hit with its rank: exact titles before exact phrases before the rest. */
interface RankedHit extends SearchHit {
  readonly rank: number;
}

async function rank(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  query: SearchQuery,
  hits: readonly SearchHit[],
): Promise<readonly RankedHit[]> {
  const readsText = query.phrases.length + query.excludedWords.length + query.excludedPhrases.length > 0;
  const headers = new Map(
    (
      await use.pages.headers(
        scope,
        workspace,
        hits.map((hit) => hit.page),
      )
    ).map((page) => [page.id, page]),
  );
  const ranked: RankedHit[] = [];
  for (const hit of hits) {
    const header = headers.get(hit.page);
    if (!header) continue;
    const body = readsText ? ((await use.pages.find(scope, workspace, hit.page))?.content ?? '') : '';
    const match = matchText(query, { title: header.title, body });
    if (match.excluded || (query.words.length === 0 && lacksPhrase(query, match))) continue;
    ranked.push({ ...hit, rank: rankOf(match) });
  }
  return ranked.sort((a, b) => comparePlaces(a, placeOf(b)));
}

/** A query of phrases alone wants them, not their words. */
const lacksPhrase = (query: SearchQuery, match: TextMatch): boolean =>
  match.phraseHits.length < query.phrases.length;

function rankOf(match: TextMatch): number {
  if (match.titleExact) return 0;
  return match.phraseHits.length > 0 ? 1 : 2;
}

const placeOf = (hit: RankedHit): Place => ({
  of: '',
  rank: hit.rank,
  score: hit.score,
  at: hit.updatedAt,
  id: hit.page,
});

/** By rank, then score, then newest, then id: the same order every time. */
function comparePlaces(hit: RankedHit, other: Place): number {
  return (
    hit.rank - other.rank ||
    other.score - hit.score ||
    other.at - hit.updatedAt ||
    (hit.page === other.id ? 0 : hit.page < other.id ? -1 : 1)
  );
}

/** Behind the result shown last, wherever that stands now: other pages may have shifted every score meanwhile. */
function restAfter(ranked: readonly RankedHit[], last: Place): readonly RankedHit[] {
  const at = ranked.findIndex((hit) => hit.page === last.id && hit.updatedAt === last.at);
  return at < 0 ? ranked.filter((hit) => comparePlaces(hit, last) > 0) : ranked.slice(at + 1);
}

function checkPlace(at: Place, of: string): Place {
  if (at.of === of) return at;
  throw new SluiceError('invalid_input', '"cursor" belongs to another search', { field: 'cursor' });
}

async function describeHit(
  use: WorkspaceMeans,
  scope: ReadScope,
  query: SearchQuery,
  page: Page,
  mention: PageMention,
  score: number,
): Promise<SearchResult> {
  const snippet = makeSnippet(query, page.content, { headings: outline(page.content) });
  const blocks = await use.documents.blocks(scope, page.id);
  const block = blocks.find(({ start, end }) => snippet.start >= start && snippet.start < end);
  const why = explainMatch(query, matchText(query, { title: page.title, body: page.content }));
  return { page, mention, score, snippet, ...(block && { block: block.id }), why };
}

async function filterOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  query: SearchQuery,
  { filters }: SearchWish,
): Promise<SearchFilter> {
  const under = filters.under ?? query.filters.under;
  const field = filters.under === undefined ? 'query' : 'filters.under';
  const given = Object.entries(filters.properties ?? {}).map(([key, value]) => ({
    key,
    value: String(value),
  }));
  const page: PageHeader | undefined =
    under === undefined ? undefined : await findPage(use, scope, workspace, under, field);
  return {
    tags: [...(filters.tags ?? []), ...query.filters.tags],
    properties: [...given, ...query.filters.properties],
    under: page?.id,
    origin: filters.origin ?? query.filters.origin,
    lifecycle: filters.lifecycle ?? query.filters.lifecycle,
    updatedSince: filters.updatedSince,
  };
}
