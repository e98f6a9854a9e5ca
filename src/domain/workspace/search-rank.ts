/** What the candidates of a search really say decides their order. */
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from './means.ts';
import type { FusedHit } from './search/fuse.ts';
import { asPhrase, hasPhrases, matchText, type TextMatch } from './search/match-text.ts';
import type { SearchQuery } from './search/search-query.ts';
import { behindHit, comparePlaces, type RankedHit } from './search-cursor.ts';

export async function rankHits(
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
  const asWritten = hits.some((hit) => hit.byWords);
  const ranked: RankedHit[] = [];
  for (const hit of hits) {
    const header = headers.get(hit.page);
    if (!header) continue;
    const body = readsText ? ((await use.pages.find(scope, workspace, hit.page))?.content ?? '') : '';
    const match = matchText(query, { title: header.title, body });
    if (match.excluded || (query.words.length === 0 && lacksPhrase(query, match))) continue;
    ranked.push({ ...hit, rank: rankOf(hit, match, asWritten) });
  }
  ranked.sort((a, b) => comparePlaces(a, behindHit(b)));
  const [first, rest] = [ranked.slice(0, MOST_READ), ranked.slice(MOST_READ)];
  return [...(await phrasesFirst(use, scope, workspace, query, first)), ...rest];
}

/** So many of the best are looked through for words that stand together. */
const MOST_READ = 50;

/** Few words are often a phrase that nobody put in quotes: pages that have it come before those that have its words. */
async function phrasesFirst(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  query: SearchQuery,
  hits: readonly RankedHit[],
): Promise<readonly RankedHit[]> {
  const phrase = asPhrase(query);
  if (!phrase) return hits;
  const ranked: RankedHit[] = [];
  for (const hit of hits) {
    const page = hit.byWords ? await use.pages.find(scope, workspace, hit.page) : undefined;
    const together = page && hasPhrases(phrase, { title: page.title, body: page.content });
    ranked.push(together ? { ...hit, rank: Math.min(hit.rank, 1), together } : hit);
  }
  return ranked.sort((a, b) => comparePlaces(a, behindHit(b)));
}

/** A query of phrases alone wants them, not their words. */
const lacksPhrase = (query: SearchQuery, match: TextMatch): boolean =>
  match.phraseHits.length < query.phrases.length;

/** What a misspelled word was read as comes behind everything that has what was written, but before what is only near. */
function rankOf(hit: FusedHit, match: TextMatch, asWritten: boolean): number {
  if (hit.misspelled) return asWritten ? 3 : 2;
  if (match.titleExact) return 0;
  if (match.phraseHits.length > 0) return 1;
  return asWritten ? 2 : 3;
}
