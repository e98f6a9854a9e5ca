/**
 * The tokens of a piece of a query. Where an index holds characters and pairs, a query asks for the longest
 * grams only: every page that holds the word has them, and few others do.
 */
import type { Language } from './language.ts';
import { type RunTerms, termsOfRun } from './run-terms.ts';
import { eachRun } from './split-runs.ts';
import { stemsOf } from './stem.ts';
import { stopWords } from './stop-words.ts';

export interface QueryTerm {
  /** As pages in English have it. */
  token: string;
  /** As pages in any language have it, the token itself first. */
  forms: readonly string[];
  /** A stop word: worth ranking by only if there is nothing else. */
  isStopWord: boolean;
}

export function queryRuns(text: string, language: Language = 'en'): RunTerms[] {
  const runs: RunTerms[] = [];
  eachRun(text, (start, end) => runs.push(termsOfRun(text.slice(start, end), 'query', language)));
  return runs;
}

/** All terms in order, a repeated one as often as it stands there. */
export function queryTerms(text: string, language?: Language): QueryTerm[] {
  const found: QueryTerm[] = [];
  const add = (token: string, forms: readonly string[], isStopWord = false): void =>
    void found.push({ token, forms: [...new Set([token, ...forms])], isStopWord });
  for (const run of queryRuns(text)) {
    for (const { terms, words, joined } of run.pieces) {
      // The word decides, not the token: the stem of `was` is what `WA` is indexed as.
      for (const [index, token] of terms.entries()) {
        const word = words[index] ?? '';
        const isStopWord = stopWords.has(word);
        add(token, isStopWord ? [] : stemsOf(word, language), isStopWord);
      }
      if (joined !== undefined) add(joined, []);
    }
    if (run.joined !== undefined) add(run.joined, []);
  }
  return found;
}

/** Whether the tokens of a page hold the run: in one word, or all its parts in whatever place. */
export function runIsAmong(run: RunTerms, pageTokens: ReadonlySet<string>): boolean {
  if (run.joined !== undefined && pageTokens.has(run.joined)) return true;
  return run.pieces.every(
    ({ terms, joined }) =>
      (joined !== undefined && pageTokens.has(joined)) || terms.every((term) => pageTokens.has(term)),
  );
}
