/**
 * Where in a text the wanted tokens stand: the analysis of `analyze` once more, but with places.
 */
import { runTokens } from './analyze.ts';
import { foldWithMap, sourceRange } from './fold.ts';
import { eachTerm, segmentsOf } from './folded-segments.ts';
import type { Language } from './language.ts';
import { joinedTerm } from './run-terms.ts';
import { eachRun, partsOf, piecesOf } from './split-runs.ts';
import { stemOf } from './stem.ts';

export interface TermSpan {
  start: number;
  end: number;
  token: string;
}

/** In order of their start. */
export function termSpans(text: string, wanted: ReadonlySet<string>, language: Language): TermSpan[] {
  const spans: TermSpan[] = [];
  if (wanted.size === 0) return spans;
  const add = (token: string | undefined, start: number, end: number): void => {
    if (token !== undefined && wanted.has(token)) spans.push({ start, end, token });
  };
  eachRun(text, (runStart, runEnd) => {
    const run = text.slice(runStart, runEnd);
    // Most runs hold nothing wanted, and asking for places is far dearer than asking for tokens.
    if (!runTokens(run, language).some((token) => wanted.has(token))) return;
    const pieces = piecesOf(run);
    add(joinedTerm(slices(run, pieces), language), runStart, runEnd);
    for (const piece of pieces) {
      const written = run.slice(piece.start, piece.end);
      const at = runStart + piece.start;
      const parts = partsOf(written);
      add(joinedTerm(slices(written, parts), language), at, at + written.length);
      for (const part of parts)
        eachPartTerm(written.slice(part.start, part.end), at + part.start, language, add);
    }
  });
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}

function slices(text: string, ranges: readonly { start: number; end: number }[]): string[] {
  return ranges.map(({ start, end }) => text.slice(start, end));
}

function eachPartTerm(
  part: string,
  offset: number,
  language: Language,
  visit: (token: string, start: number, end: number) => void,
): void {
  const folded = foldWithMap(part);
  for (const segment of segmentsOf(folded.text)) {
    eachTerm(folded.text, segment, 'index', (from, to) => {
      const [start, end] = sourceRange(folded, from, to);
      visit(stemOf(folded.text.slice(from, to), language), offset + start, offset + end);
    });
  }
}
