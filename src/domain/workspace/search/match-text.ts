/**
 * Looks at a page that the index offered and says what of the query is really there: the index knows which
 * tokens a page has, but neither their order nor how they are written.
 */
import { analyze } from './analyze.ts';
import { comparable, containsPhrase } from './find-phrase.ts';
import { foldText } from './fold.ts';
import { type Language, languageOf } from './language.ts';
import { plainText } from './plain-text.ts';
import { queryRuns, queryTerms, runIsAmong } from './query-terms.ts';
import type { QueryText, SearchQuery } from './search-query.ts';

export interface TextMatch {
  /** The phrases found, as the user wrote them, in the order of the query. */
  phraseHits: string[];
  /** The title is what was asked for. */
  titleExact: boolean;
  /** The page holds something the query wants to be absent. */
  excluded: boolean;
  /** Each word (stop words aside) and each phrase is there; false if the query has neither. */
  allWords: boolean;
  /** Which of the query's tokens the page has, and which of them its title has. */
  matchedTokens: Set<string>;
  titleTokens: Set<string>;
}

export function matchText(query: SearchQuery, page: { title: string; body: string }): TextMatch {
  const language = languageOf(page);
  const inTitle = new Set(analyze(page.title, language));
  const inPage = new Set(analyze(page.body, language));
  for (const token of inTitle) inPage.add(token);
  // Folding the whole page is needed only where order matters.
  let folded: string | undefined;
  const hasPhrase = (phrase: string): boolean => {
    folded ??= inOrder(page);
    return containsPhrase(folded, phrase);
  };
  const phraseHits = query.phrases.map(({ text }) => text).filter(hasPhrase);
  return {
    phraseHits,
    titleExact: isExactTitle(query, page.title),
    excluded:
      query.excludedPhrases.some(({ text }) => hasPhrase(text)) ||
      query.excludedWords.some((word) => standsInPage(word, language, inPage, hasPhrase)),
    allWords: hasAllWords(query, language, inPage) && phraseHits.length === query.phrases.length,
    matchedTokens: new Set(query.tokens.filter((token) => inPage.has(token))),
    titleTokens: new Set(query.tokens.filter((token) => inTitle.has(token))),
  };
}

const inOrder = (page: { title: string; body: string }): string =>
  `${comparable(page.title)}\n${foldText(plainText(page.body).text)}`;

/** A query of a few words may be a phrase that nobody put in quotes; a question is none. */
export function asPhrase(query: SearchQuery): SearchQuery | undefined {
  const tokens = query.words.flatMap((word) => word.tokens);
  if (query.phrases.length > 0 || tokens.length < 2 || query.words.length > mostWordsOfPhrase)
    return undefined;
  return { ...query, phrases: [{ text: query.text, tokens }] };
}

const mostWordsOfPhrase = 8;

export const hasPhrases = (query: SearchQuery, page: { title: string; body: string }): boolean => {
  const folded = inOrder(page);
  return query.phrases.every(({ text }) => containsPhrase(folded, text));
};

function isExactTitle(query: SearchQuery, title: string): boolean {
  const wanted = comparable(title);
  return wanted !== '' && (comparable(query.text) === wanted || comparable(query.input) === wanted);
}

function hasAllWords(query: SearchQuery, language: Language, inPage: ReadonlySet<string>): boolean {
  if (query.words.length + query.phrases.length === 0) return false;
  const telling = query.words.filter(({ text }) => queryTerms(text).some(({ isStopWord }) => !isStopWord));
  const needed = telling.length + query.phrases.length > 0 ? telling : query.words;
  return needed.every(({ text }) => queryRuns(text, language).every((run) => runIsAmong(run, inPage)));
}

/** A word of one token is there if the token is; the parts of any other must stand together, not anywhere. */
function standsInPage(
  { text, tokens }: QueryText,
  language: Language,
  inPage: ReadonlySet<string>,
  hasPhrase: (phrase: string) => boolean,
): boolean {
  const [run, ...others] = queryRuns(text, language);
  if (tokens.length === 1) return run !== undefined && runIsAmong(run, inPage);
  const joined = run?.joined ?? run?.pieces[0]?.joined;
  return (others.length === 0 && joined !== undefined && inPage.has(joined)) || hasPhrase(text);
}
