/**
 * Text to index tokens: the one analysis that every store indexes, so that all stores find the same pages.
 * A token never holds ASCII punctuation or white space, and is at most 64 code units long.
 */
import { boundedMemo, longestMemoKey } from './bounded-memo.ts';
import { LANGUAGES, type Language, languageOf } from './language.ts';
import { joinedTerm, type PieceTerms, termsOfPiece, termsOfRun } from './run-terms.ts';
import { eachRun, piecesOf } from './split-runs.ts';

/** The number of these rules. Pages that were indexed by others are indexed anew, so it has to grow with every change. */
export const ANALYSIS = 2;

export interface PageText {
  title: string;
  headings: readonly string[];
  body: string;
}

export interface PageTokens {
  title: string[];
  headings: string[];
  body: string[];
}

export function analyze(text: string, language: Language = 'en'): string[] {
  const tokens: string[] = [];
  eachRun(text, (start, end) => {
    for (const token of runTokens(text.slice(start, end), language)) tokens.push(token);
  });
  return tokens;
}

export function pageTokens(page: PageText): PageTokens {
  const language = languageOf(page);
  return {
    title: analyze(page.title, language),
    headings: page.headings.flatMap((heading) => analyze(heading, language)),
    body: analyze(page.body, language),
  };
}

/** The tokens of one run as `eachRun` finds it. */
export function runTokens(run: string, language: Language): readonly string[] {
  if (run.length <= longestMemoKey) return shortRunTokens[language](run);
  const pieces = piecesOf(run).map(({ start, end }) => run.slice(start, end));
  if (pieces.length < 2) return pieceTokens(run, language);
  // Piece by piece through the memo, for a run can be as long as the page.
  const tokens: string[] = [];
  for (const piece of pieces) for (const token of pieceTokens(piece, language)) tokens.push(token);
  const joined = joinedTerm(pieces, language);
  if (joined !== undefined) tokens.push(joined);
  return tokens;
}

function pieceTokens(piece: string, language: Language): readonly string[] {
  if (piece.length <= longestMemoKey) return shortRunTokens[language](piece);
  return withJoined(termsOfPiece(piece, 'index', language));
}

function withJoined({ terms, joined }: PieceTerms): string[] {
  return joined === undefined ? terms : [...terms, joined];
}

const memoOf = (language: Language) =>
  boundedMemo<readonly string[]>(32_768, (run) => {
    const { pieces, joined } = termsOfRun(run, 'index', language);
    const tokens = pieces.flatMap(withJoined);
    return joined === undefined ? tokens : [...tokens, joined];
  });

const shortRunTokens = Object.fromEntries(
  LANGUAGES.map((language) => [language, memoOf(language)]),
) as Record<Language, (run: string) => readonly string[]>;
