/**
 * Reads what a person or an agent typed into the search box. No input is an error: whatever is not a complete
 * operator is text to search for.
 */
import { wholeCharacters } from './folded-segments.ts';
import { clearLanguage } from './language.ts';
import { readCondition } from './property-condition.ts';
import { type QueryTerm, queryTerms } from './query-terms.ts';
import type { QueryText, SearchFilters, SearchQuery } from './search-query.ts';
import { type FilterKey, splitQuery } from './split-query.ts';

const longestInput = 4096;
const mostTokens = 64;
const heaviestWeight = 4;

export function parseQuery(input: string): SearchQuery {
  const cut = input.length > longestInput ? input.slice(0, wholeCharacters(input, longestInput)) : input;
  const filters: SearchFilters = { tags: [], properties: [] };
  const words: QueryText[] = [];
  const phrases: QueryText[] = [];
  const excludedWords: QueryText[] = [];
  const excludedPhrases: QueryText[] = [];
  const terms: QueryTerm[] = [];
  const wanted: string[] = [];
  // A whole question tells its language; a few words do not.
  const language = clearLanguage(cut);
  for (const item of splitQuery(cut)) {
    if (item.kind === 'filter') {
      addFilter(filters, item.key, item.value);
      continue;
    }
    const found = queryTerms(item.text, language);
    const piece = {
      text: item.text,
      tokens: [...new Set(found.map(({ token }) => token))],
      forms: [...new Set(found.flatMap(({ forms }) => forms))],
    };
    if (item.kind === 'phrase') (item.excluded ? excludedPhrases : phrases).push(piece);
    else if (found.length > 0) (item.excluded ? excludedWords : words).push(piece);
    if (item.excluded) continue;
    wanted.push(item.text);
    terms.push(...found);
  }
  const counts = rankingTokens(terms);
  const kept = mostAskedFor(counts);
  const ranked = inAllForms(terms, kept);
  return {
    text: wanted.join(' '),
    input: cut,
    words,
    phrases,
    excludedWords,
    excludedPhrases,
    filters,
    tokens: ranked.map(([token]) => token),
    weights: ranked.map(([, count]) => Math.min(count, heaviestWeight)),
    empty: ranked.length === 0 && excludedWords.length + excludedPhrases.length === 0 && !hasFilter(filters),
    truncated: cut.length < input.length || counts.size > kept.length,
  };
}

/** How often the query asks for each token, stop words aside unless there is nothing else. */
function rankingTokens(terms: readonly QueryTerm[]): Map<string, number> {
  const telling = terms.filter(({ isStopWord }) => !isStopWord);
  const counts = new Map<string, number>();
  for (const { token } of telling.length > 0 ? telling : terms)
    counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** A long question says its subject more than once, so of too many tokens the repeated ones stay. */
function mostAskedFor(counts: ReadonlyMap<string, number>): [token: string, count: number][] {
  const entries = [...counts];
  const kept = new Set(entries.toSorted(([, a], [, b]) => b - a).slice(0, mostTokens));
  return entries.filter((entry) => kept.has(entry));
}

/** A page has a word in the form of its own language; wherever forms meet, the one that is asked for more counts. */
function inAllForms(
  terms: readonly QueryTerm[],
  kept: readonly (readonly [token: string, count: number])[],
): [token: string, count: number][] {
  const all = new Map<string, number>(kept);
  const counts = new Map<string, number>(kept);
  for (const { token, forms } of terms)
    for (const form of counts.has(token) ? forms : [])
      if (!counts.has(form)) all.set(form, Math.max(all.get(form) ?? 0, counts.get(token) ?? 0));
  return [...all];
}

/** Tags and properties add up; of a place, an origin or a lifecycle there is one, and the last one counts. */
function addFilter(filters: SearchFilters, key: FilterKey, value: string): void {
  const tag = value.replace(/^#/, '');
  if (key === 'tag') filters.tags.push(tag);
  else if (key === 'untagged') filters.withoutTags = [...(filters.withoutTags ?? []), tag];
  else if (key === 'has') filters.properties.push({ key: value, is: 'there' });
  else if (key === 'lacks') filters.properties.push({ key: value, is: 'missing' });
  else if (key === 'prop') filters.properties.push(...[readCondition(value) ?? []].flat());
  else filters[key] = value;
}

function hasFilter(filters: SearchFilters): boolean {
  const { tags, withoutTags, properties, under, origin, lifecycle } = filters;
  const single = [withoutTags, under, origin, lifecycle];
  return tags.length + properties.length > 0 || single.some((one) => one !== undefined);
}
