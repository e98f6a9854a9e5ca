/**
 * A search as understood: what to rank by, what to verify, what to leave out and which pages to look at.
 */
import type { PropertyCondition } from './property-condition.ts';

/** A word or phrase as the user wrote it, with its tokens; an identifier's joined form is among them. */
export interface QueryText {
  text: string;
  tokens: string[];
  /** The tokens as pages in any language have them; left out = the same. */
  forms?: string[];
}

export interface SearchFilters {
  tags: string[];
  /** Left out = none. */
  withoutTags?: string[];
  properties: PropertyCondition[];
  under?: string;
  origin?: string;
  lifecycle?: string;
}

export interface SearchQuery {
  /** Words and phrases as written, in order, without operators and quotes. */
  text: string;
  /** The whole input, cut to the allowed length. */
  input: string;
  words: QueryText[];
  phrases: QueryText[];
  excludedWords: QueryText[];
  excludedPhrases: QueryText[];
  filters: SearchFilters;
  /** Distinct tokens to look up, in the forms of every language, any of which makes a page a candidate. */
  tokens: string[];
  /** For each token how often the query says it, at most 4: what its part of the score is multiplied by. */
  weights: number[];
  /** Neither a token to look up, nor a filter, nor something to leave out: there is nothing to search for. */
  empty: boolean;
  /** The input was cut, or it held more distinct tokens than are looked up. */
  truncated: boolean;
}
