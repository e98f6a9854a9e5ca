/** Reads a link reference definition (`[label]: destination "title"`) at the start of a paragraph. */

import {
  BACKSLASH,
  CARET,
  COLON,
  CR,
  isAsciiPunctuation,
  isSpace,
  LEFT_BRACKET,
  LF,
  RIGHT_BRACKET,
  skipSpacesAndTabs,
} from './char-codes.ts';
import type { Destination } from './link-destination.ts';
import { readDestination, skipSpaces, titleEnd } from './link-destination.ts';

export interface LinkDefinition {
  readonly start: number;
  readonly end: number;
  readonly destination: Destination;
}

const LONGEST_LABEL = 999;

/**
 * The definition at `at` in the text of a paragraph, or undefined. `[^1]: …` is a footnote, whose text is prose with
 * links of its own, and so no definition here.
 */
export function readDefinition(text: string, at: number): LinkDefinition | undefined {
  const start = skipSpacesAndTabs(text, at, text.length);
  if (text.charCodeAt(start) !== LEFT_BRACKET || text.charCodeAt(start + 1) === CARET) return undefined;
  const labelEnd = readLabel(text, start + 1);
  if (labelEnd < 0 || text.charCodeAt(labelEnd + 1) !== COLON) return undefined;
  const from = skipSpaces(text, labelEnd + 2);
  const destination = readDestination(text, from, Number.POSITIVE_INFINITY);
  if (!destination || (destination.end === destination.start && !destination.angle)) return undefined;
  const end = definitionEnd(text, destination.next);
  return end < 0 ? undefined : { start, end, destination };
}

/** The offset of the bracket that closes the label, or -1. */
function readLabel(text: string, from: number): number {
  let hasText = false;
  const limit = Math.min(text.length, from + LONGEST_LABEL + 1);
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code === RIGHT_BRACKET) return hasText ? i : -1;
    if (code === LEFT_BRACKET) return -1;
    if (!isSpace(code)) hasText = true;
    if (code === BACKSLASH && isAsciiPunctuation(text.charCodeAt(i + 1))) i++;
  }
  return -1;
}

/** The end of the last line of a definition whose destination ends at `at`, or -1 when other text follows it. */
function definitionEnd(text: string, at: number): number {
  const sameLine = skipSpacesAndTabs(text, at, text.length);
  const endsHere = isLineEnd(text, sameLine);
  const titleStart = endsHere ? skipSpaces(text, sameLine) : sameLine;
  if (titleStart > at) {
    const title = titleEnd(text, titleStart);
    const after = title < 0 ? -1 : skipSpacesAndTabs(text, title, text.length);
    if (after >= 0 && isLineEnd(text, after)) return after;
  }
  return endsHere ? sameLine : -1;
}

function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || code === LF || code === CR;
}
