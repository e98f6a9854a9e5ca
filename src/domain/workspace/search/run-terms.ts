/**
 * The terms of one run, keeping apart what must be found together (the terms of a piece) and what finds the
 * same thing alone (the joined form of an identifier).
 */
import { foldText } from './fold.ts';
import { eachTerm, longestTerm, segmentsOf, type TermPurpose, wholeCharacters } from './folded-segments.ts';
import type { Language } from './language.ts';
import { partsOf, piecesOf } from './split-runs.ts';
import { stemOf } from './stem.ts';

export interface PieceTerms {
  terms: string[];
  /** The folded form behind each term, before stemming. */
  words: string[];
  /** `pagecontent` for `pageContent`. */
  joined?: string;
}

export interface RunTerms {
  pieces: PieceTerms[];
  /** `updatepagecontent` for `update_page_content`. */
  joined?: string;
}

export function termsOfRun(run: string, purpose: TermPurpose, language: Language): RunTerms {
  const pieces = piecesOf(run).map(({ start, end }) => run.slice(start, end));
  const joined = joinedTerm(pieces, language);
  const terms = pieces.map((piece) => termsOfPiece(piece, purpose, language));
  return joined === undefined ? { pieces: terms } : { pieces: terms, joined };
}

export function termsOfPiece(piece: string, purpose: TermPurpose, language: Language): PieceTerms {
  const parts = partsOf(piece).map(({ start, end }) => piece.slice(start, end));
  const words: string[] = [];
  for (const part of parts) {
    const folded = foldText(part);
    for (const segment of segmentsOf(folded)) {
      eachTerm(folded, segment, purpose, (from, to) => words.push(folded.slice(from, to)));
    }
  }
  const joined = joinedTerm(parts, language);
  const terms = words.map((word) => stemOf(word, language));
  return joined === undefined ? { terms, words } : { terms, words, joined };
}

/** The one token for several parts written together, if they are parts of a spaced script. */
export function joinedTerm(parts: readonly string[], language: Language): string | undefined {
  if (parts.length < 2) return undefined;
  let joined = '';
  for (const part of parts) {
    joined += foldText(part);
    if (joined.length > longestTerm) break;
  }
  const [segment] = segmentsOf(joined);
  const isOneWord = segment?.kind === 'word' && segment.from === 0 && segment.to === joined.length;
  if (!isOneWord) return undefined;
  return stemOf(joined.slice(0, Math.min(joined.length, wholeCharacters(joined, longestTerm))), language);
}
