/** The second try of a search that found next to nothing: words that no page has are read as the nearest that some have. */
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from './means.ts';
import type { SearchFilter, SearchHit } from './ports/search-index.ts';
import { nearestWords, SHORTEST_CORRECTED, slipsAllowed } from './search/misspelled.ts';
import type { QueryText, SearchQuery } from './search/search-query.ts';

export interface SecondTry {
  /** The query as it was read. */
  readonly query: SearchQuery;
  readonly readings: readonly { readonly written: string; readonly read: string }[];
  readonly hits: readonly SearchHit[];
}

/** A long question is no list of words that somebody knew how to spell. */
const MOST_WORDS = 8;
const plainWord = /^[a-z]+$/;

export async function tryMisspelled(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  query: SearchQuery,
  filter: SearchFilter,
  limit: number,
): Promise<SecondTry | undefined> {
  if (query.words.length === 0 || query.words.length > MOST_WORDS || query.phrases.length > 0)
    return undefined;
  const words: QueryText[] = [];
  const readings: { written: string; read: string }[] = [];
  for (const word of query.words) {
    const read = await readingsOf(use, scope, word);
    words.push(read.length > 0 ? { text: word.text, tokens: [...read] } : word);
    readings.push(...read.map((token) => ({ written: word.text, read: token })));
  }
  if (readings.length === 0) return undefined;
  const tokens = [...new Set(words.flatMap((word) => word.tokens))];
  const terms = tokens.map((token) => ({ token, weight: 1 }));
  const hits = await use.search.search(scope, workspace, terms, filter, limit);
  return { query: { ...query, words, tokens, weights: tokens.map(() => 1) }, readings, hits };
}

async function readingsOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  { tokens }: QueryText,
): Promise<readonly string[]> {
  const [token, ...others] = tokens;
  if (token === undefined || others.length > 0 || token.length < SHORTEST_CORRECTED || !plainWord.test(token))
    return [];
  const slips = slipsAllowed(token);
  // The first letter is the one that people get right.
  const known = await use.search.tokens(scope, token.slice(0, 1), token.length - slips, token.length + slips);
  return nearestWords(token, known);
}
