/**
 * Where in a text the wanted tokens stand: the analysis of `analyze` once more, but with places.
 */
import { runTokens } from './analyze.ts';
import { foldWithMap, sourceRange } from './fold.ts';
import { eachTerm, segmentsOf } from './folded-segments.ts';
import { joinedTerm, termOf } from './run-terms.ts';
import { eachRun, partsOf, piecesOf } from './split-runs.ts';

export interface TermSpan {
  start: number;
  end: number;
  token: string;
}

/** In order of their start. */
export function termSpans(text: string, wanted: ReadonlySet<string>): TermSpan[] {
  const spans: TermSpan[] = [];
  if (wanted.size === 0) return spans;
  const add = (token: string | undefined, start: number, end: number): void => {
    if (token !== undefined && wanted.has(token)) spans.push({ start, end, token });
  };
  eachRun(text, (runStart, runEnd) => {
    const run = text.slice(runStart, runEnd);
    // Most runs hold nothing wanted, and asking for places is far dearer than asking for tokens.
    if (!runTokens(run).some((token) => wanted.has(token))) return;
    const pieces = piecesOf(run);
    add(joinedTerm(slices(run, pieces)), runStart, runEnd);
    for (const piece of pieces) {
      const written = run.slice(piece.start, piece.end);
      const at = runStart + piece.start;
      const parts = partsOf(written);
      add(joinedTerm(slices(written, parts)), at, at + written.length);
      for (const part of parts) eachPartTerm(written.slice(part.start, part.end), at + part.start, add);
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
  visit: (token: string, start: number, end: number) => void,
): void {
  const folded = foldWithMap(part);
  for (const segment of segmentsOf(folded.text)) {
    eachTerm(folded.text, segment, 'index', (from, to) => {
      const [start, end] = sourceRange(folded, from, to);
      visit(termOf(folded.text.slice(from, to)), offset + start, offset + end);
    });
  }
}
