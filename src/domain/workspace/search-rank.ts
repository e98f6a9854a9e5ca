/** What the candidates of a search really say decides their order. */
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from './means.ts';
import type { FusedHit } from './search/fuse.ts';
import { matchText, type TextMatch } from './search/match-text.ts';
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
  const ranked: RankedHit[] = [];
  for (const hit of hits) {
    const header = headers.get(hit.page);
    if (!header) continue;
    const body = readsText ? ((await use.pages.find(scope, workspace, hit.page))?.content ?? '') : '';
    const match = matchText(query, { title: header.title, body });
    if (match.excluded || (query.words.length === 0 && lacksPhrase(query, match))) continue;
    ranked.push({ ...hit, rank: hit.misspelled ? MISSPELLED_RANK : rankOf(match) });
  }
  return ranked.sort((a, b) => comparePlaces(a, behindHit(b)));
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
