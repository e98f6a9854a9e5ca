/**
 * Finds the runs of a text (a word, an identifier, an unspaced sentence, an emoji) and the pieces and parts of an
 * identifier, by position in the source: letter case is needed here, so nothing is folded yet.
 */
import { classOf, connectorCharacter, emojiCharacter, wordCharacter } from './character-class.ts';

/** A range of code units, end exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** Longer than this no one writes an identifier: it is a blob, and its capitals mean nothing. */
const longestIdentifier = 64;
const mostParts = 8;

/**
 * The place before a capital where a camel-case identifier divides: `page|Content`, `HTTP|Server`,
 * `utf8|Encoder`; not inside `A4B2`, which is one word.
 */
const capitalEdge =
  /(?<=\p{Ll}\p{M}*)(?=\p{Lu})|(?<=\p{Lu}\p{M}*)(?=\p{Lu}\p{M}*\p{Ll})|(?<=\p{N})(?=\p{Lu}\p{M}*\p{Ll})/gu;
/** `IDs`, `URLs`: a plural, not `I` and `Ds`. */
const pluralOfCapitals = /^\p{Lu}{2,}s$/u;

export function eachRun(text: string, visit: (start: number, end: number) => void): void {
  let at = 0;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    const flags = classOf(code);
    const next = at + (code > 0xffff ? 2 : 1);
    if ((flags & wordCharacter) !== 0) {
      const end = runEnd(text, next);
      visit(at, end);
      at = end;
    } else {
      if ((flags & emojiCharacter) !== 0) visit(at, next);
      at = next;
    }
  }
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0;
    const flags = classOf(code);
    if ((flags & wordCharacter) !== 0) {
      end += code > 0xffff ? 2 : 1;
    } else if ((flags & connectorCharacter) !== 0) {
      const after = afterConnectors(text, end);
      if ((classOf(text.codePointAt(after) ?? 0) & wordCharacter) === 0) return end;
      end = after;
    } else {
      return end;
    }
  }
  return end;
}

/** One hyphen or any number of underscores connect; two hyphens are a dash. */
function afterConnectors(text: string, from: number): number {
  if (text[from] !== '_') return from + 1;
  let end = from;
  while (text[end] === '_') end += 1;
  return end;
}

/** The pieces of a run: what stands between hyphens and underscores. */
export function piecesOf(run: string): Range[] {
  const pieces: Range[] = [];
  let start = 0;
  for (let at = 0; at <= run.length; at += 1) {
    if (at < run.length && (classOf(run.charCodeAt(at)) & connectorCharacter) === 0) continue;
    if (at > start) pieces.push({ start, end: at });
    start = at + 1;
  }
  return pieces;
}

/** The parts of a piece: what stands between the capitals of a camel-case identifier. */
export function partsOf(piece: string): Range[] {
  const whole = [{ start: 0, end: piece.length }];
  if (piece.length > longestIdentifier || pluralOfCapitals.test(piece)) return whole;
  const parts: Range[] = [];
  let start = 0;
  for (const edge of piece.matchAll(capitalEdge)) {
    parts.push({ start, end: edge.index });
    start = edge.index;
  }
  parts.push({ start, end: piece.length });
  return parts.length > mostParts ? whole : parts;
}
