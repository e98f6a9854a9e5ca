/**
 * Says in a few words why a page was found, so that a caller can judge a hit without reading the page.
 */
import type { TextMatch } from './match-text.ts';
import type { QueryText, SearchQuery } from './search-query.ts';

const mostWords = 8;

/** The strongest reason first; words in the order of the query, each once. */
export function explainMatch(query: SearchQuery, match: TextMatch, isNear = false): string[] {
  const reasons: string[] = [];
  if (match.titleExact) reasons.push('exact title');
  for (const phrase of new Set(match.phraseHits)) reasons.push(`phrase "${phrase}"`);
  const inTitle = wordsWith(query.words, match.titleTokens);
  if (inTitle.length > 0) reasons.push(`title words: ${listed(inTitle)}`);
  const inPage = wordsWith(query.words, match.matchedTokens);
  if (inPage.length > 0) reasons.push(`words: ${listed(inPage)}`);
  if (isNear) reasons.push('meaning');
  return reasons;
}

/** For a page that has what misspelled words were read as. */
export function explainReadings(
  readings: readonly { readonly written: string; readonly read: string }[],
  match: TextMatch,
  isNear: boolean,
): string[] {
  const reasons = readings
    .filter(({ read }) => match.matchedTokens.has(read))
    .slice(0, mostWords)
    .map(({ written, read }) => `fuzzy: "${written}" read as "${read}"`);
  return isNear ? [...reasons, 'meaning'] : reasons;
}

function wordsWith(words: readonly QueryText[], tokens: ReadonlySet<string>): string[] {
  const found = words.filter((word) => (word.forms ?? word.tokens).some((token) => tokens.has(token)));
  return [...new Set(found.map((word) => word.text))];
}

function listed(words: readonly string[]): string {
  const more = words.length - mostWords;
  return more > 0 ? `${words.slice(0, mostWords).join(', ')} and ${more} more` : words.join(', ');
}
