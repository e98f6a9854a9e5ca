/** Search: the index offers candidates, what they really say decides the order and the reasons. */
import { z } from 'zod';
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { findPage } from './find-page.ts';
import { outline } from './markdown/outline.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Page, PageHeader } from './page.ts';
import { mentionsOf, type PageMention } from './page-links.ts';
import type { SearchFilter } from './ports/search-index.ts';
import type { PassagePlace } from './ports/vector-store.ts';
import { explainMatch, explainReadings } from './search/explain-match.ts';
import { type FusedHit, NEAR } from './search/fuse.ts';
import { languageOf } from './search/language.ts';
import { matchText, type TextMatch } from './search/match-text.ts';
import { parseQuery } from './search/parse-query.ts';
import { conditionsOf, type PropertyWishes } from './search/property-wishes.ts';
import type { SearchQuery } from './search/search-query.ts';
import { makeSnippet, type Snippet } from './search/snippet.ts';
import { findCandidates, type MeaningState, type SearchMode } from './search-candidates.ts';
import type { SecondTry } from './search-misspelled.ts';

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
  /** What was really used. */
  readonly mode: SearchMode;
  readonly meaning: MeaningState;
  /** More pages match than a search looks at; narrower words or filters find the rest. */
  readonly truncated: boolean;
  readonly nextCursor?: string;
}

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
  const found = await findCandidates({ use, scope, workspace, query, filter }, wish.mode);
  const ranked = await rank(use, scope, workspace, query, found.hits);
  const rest = after ? restAfter(ranked, after) : ranked;
  const shown = rest.slice(0, wish.limit);
  const pages = shown.map((hit) => hit.page);
  const mentions = await mentionsOf(use, scope, workspace, new Set(pages));
  const places = await passagesOfHits(use, scope, shown);
  const results: SearchResult[] = [];
  for (const hit of shown) {
    const page = await use.pages.find(scope, workspace, hit.page);
    const mention = mentions.get(hit.page);
    if (page && mention)
      results.push(
        await describeHit(use, scope, { query, ...found }, page, mention, hit, places.get(hit.page)),
      );
  }
  const last = shown.at(-1);
  const more = rest.length > shown.length && last;
  return {
    results,
    mode: found.mode,
    meaning: found.meaning,
    truncated: found.truncated,
    ...(more && {
      nextCursor: writeCursor({ of, rank: last.rank, score: last.score, at: last.updatedAt, id: last.page }),
    }),
  };
}

/** A hit with its rank: exact titles before exact phrases before the rest. */
interface RankedHit extends FusedHit {
  readonly rank: number;
}

async function rank(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  query: SearchQuery,
  hits: readonly FusedHit[],
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
    ranked.push({ ...hit, rank: hit.misspelled ? MISSPELLED_RANK : rankOf(match) });
  }
  return ranked.sort((a, b) => comparePlaces(a, placeOf(b)));
}

/** A query of phrases alone wants them, not their words. */
const lacksPhrase = (query: SearchQuery, match: TextMatch): boolean =>
  match.phraseHits.length < query.phrases.length;

/** Behind everything that has what was written. */
const MISSPELLED_RANK = 3;

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

/** Where the nearest passage of each hit stands, as far as that is known. */
async function passagesOfHits(
  use: WorkspaceMeans,
  scope: ReadScope,
  hits: readonly FusedHit[],
): Promise<ReadonlyMap<PageId, PassagePlace>> {
  const near = hits.filter((hit) => hit.passage !== undefined);
  const all = await use.vectors.places(
    scope,
    near.map((hit) => hit.page),
  );
  const found = near.map(({ page, passage = 0 }) => [page, all.get(page)?.[passage]] as const);
  return new Map(found.filter((pair): pair is [PageId, PassagePlace] => pair[1] !== undefined));
}

async function describeHit(
  use: WorkspaceMeans,
  scope: ReadScope,
  asked: { readonly query: SearchQuery; readonly secondTry?: SecondTry },
  page: Page,
  mention: PageMention,
  hit: FusedHit,
  passage: PassagePlace | undefined,
): Promise<SearchResult> {
  const secondTry = hit.misspelled && asked.secondTry;
  const query = secondTry ? secondTry.query : asked.query;
  const match = matchText(query, { title: page.title, body: page.content });
  const hasWords = match.matchedTokens.size + match.phraseHits.length > 0;
  const shown = hasWords || !passage ? { start: 0, end: page.content.length } : passage;
  const snippet = snippetOf(query, page, shown);
  const blocks = await use.documents.blocks(scope, page.id);
  const block = blocks.find(({ start, end }) => snippet.at >= start && snippet.at < end);
  const why = secondTry
    ? explainReadings(secondTry.readings, match)
    : explainMatch(query, match, hit.cosine !== undefined && hit.cosine >= NEAR);
  return { page, mention, score: hit.score, snippet, ...(block && { block: block.id }), why };
}

/** Of the given stretch of the text; the text may have changed since the stretch was measured. */
function snippetOf(query: SearchQuery, { title, content }: Page, { start, end }: PassagePlace): Snippet {
  const headings = outline(content).map((heading) => ({
    ...heading,
    start: heading.start - start,
    end: heading.end - start,
  }));
  const snippet = makeSnippet(query, content.slice(start, end), {
    headings,
    language: languageOf({ title, body: content }),
  });
  return { ...snippet, start: snippet.start + start, end: snippet.end + start, at: snippet.at + start };
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
  const given = conditionsOf(filters.properties ?? {});
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
