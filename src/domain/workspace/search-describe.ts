/** What a search says about a page it found: where in it, and why. */
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { outline } from './markdown/outline.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Page } from './page.ts';
import { mentionsOf, type PageMention } from './page-links.ts';
import type { PassagePlace } from './ports/vector-store.ts';
import { explainMatch, explainReadings } from './search/explain-match.ts';
import { type FusedHit, NEAR } from './search/fuse.ts';
import { languageOf } from './search/language.ts';
import { asPhrase, matchText } from './search/match-text.ts';
import type { SearchQuery } from './search/search-query.ts';
import { makeSnippet, type Snippet } from './search/snippet.ts';
import type { SecondTry } from './search-misspelled.ts';

export interface SearchResult {
  readonly page: Page;
  readonly mention: PageMention;
  readonly score: number;
  readonly snippet: Snippet;
  readonly block?: string;
  readonly why: readonly string[];
}

interface Asked {
  readonly query: SearchQuery;
  readonly secondTry?: SecondTry | undefined;
}

export async function describeHits(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  asked: Asked,
  hits: readonly FusedHit[],
): Promise<readonly SearchResult[]> {
  const mentions = await mentionsOf(use, scope, workspace, new Set(hits.map((hit) => hit.page)));
  const places = await passagesOfHits(use, scope, hits);
  const results: SearchResult[] = [];
  for (const hit of hits) {
    const page = await use.pages.find(scope, workspace, hit.page);
    const mention = mentions.get(hit.page);
    if (page && mention)
      results.push(await describeHit(use, scope, asked, page, mention, hit, places.get(hit.page)));
  }
  return results;
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
  asked: Asked,
  page: Page,
  mention: PageMention,
  hit: FusedHit,
  passage: PassagePlace | undefined,
): Promise<SearchResult> {
  const secondTry = hit.misspelled && asked.secondTry;
  const asWritten = (hit.together && asPhrase(asked.query)) || asked.query;
  const query = secondTry ? secondTry.query : asWritten;
  const match = matchText(query, { title: page.title, body: page.content });
  const hasWords = match.matchedTokens.size + match.phraseHits.length > 0;
  const shown = hasWords || !passage ? { start: 0, end: page.content.length } : passage;
  const snippet = snippetOf(query, page, shown);
  const blocks = await use.documents.blocks(scope, page.id);
  const block = blocks.find(({ start, end }) => snippet.at >= start && snippet.at < end);
  const isNear = hit.cosine !== undefined && hit.cosine >= NEAR;
  const why = secondTry
    ? explainReadings(secondTry.readings, match, isNear)
    : explainMatch(query, match, isNear);
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
