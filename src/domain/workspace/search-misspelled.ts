/** The second try of a search that found next to nothing: words that no page has are read as the nearest that some have. */
import type { WorkspaceId } from '../../kernel/ids.ts';
import { SHORTEST_CORRECTED, slipsAllowed, wordsNear } from '../../kernel/misspelled.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from './means.ts';
import type { SearchFilter, SearchHit } from './ports/search-index.ts';
import type { QueryText, SearchQuery } from './search/search-query.ts';

export interface SecondTry {
  /** The query as it was read. */
  readonly query: SearchQuery;
  readonly readings: readonly { readonly written: string; readonly read: string }[];
  readonly hits: readonly SearchHit[];
  /** There are more. */
  readonly truncated: boolean;
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
    const read = await readingsOf({ use, scope, workspace, filter }, word);
    words.push(read.length > 0 ? { text: word.text, tokens: [...read] } : word);
    readings.push(...read.map((token) => ({ written: word.text, read: token })));
  }
  if (readings.length === 0) return undefined;
  const tokens = [...new Set(words.flatMap((word) => word.tokens))];
  const terms = tokens.map((token) => ({ token, weight: 1 }));
  const hits = await use.search.search(scope, workspace, terms, filter, limit + 1);
  const read = { ...query, words, tokens, weights: tokens.map(() => 1) };
  return { query: read, readings, hits: hits.slice(0, limit), truncated: hits.length > limit };
}

interface Looking {
  readonly use: WorkspaceMeans;
  readonly scope: ReadScope;
  readonly workspace: WorkspaceId;
  readonly filter: SearchFilter;
}

async function readingsOf(look: Looking, { tokens }: QueryText): Promise<readonly string[]> {
  const [token, ...others] = tokens;
  if (token === undefined || others.length > 0 || token.length < SHORTEST_CORRECTED || !plainWord.test(token))
    return [];
  const slips = slipsAllowed(token);
  const [shortest, longest] = [token.length - slips, token.length + slips];
  // The first letter is the one that people get right.
  const known = await look.use.search.tokens(look.scope, token.slice(0, 1), shortest, longest);
  return seenWords(look, wordsNear(token, known));
}

const MOST_READINGS = 3;
const MOST_LOOKED_UP = 24;

/** The nearest that a page of this search has: what stands on pages that are not seen must not change the answer. */
async function seenWords(
  { use, scope, workspace, filter }: Looking,
  near: readonly { readonly word: string; readonly slips: number }[],
): Promise<readonly string[]> {
  const seen: { word: string; slips: number }[] = [];
  for (const one of near.slice(0, MOST_LOOKED_UP)) {
    if (seen.length === MOST_READINGS || one.slips > (seen[0]?.slips ?? one.slips)) break;
    const terms = [{ token: one.word, weight: 1 }];
    if ((await use.search.search(scope, workspace, terms, filter, 1)).length > 0) seen.push(one);
  }
  return seen[0]?.slips === 0 ? [] : seen.map(({ word }) => word);
}
