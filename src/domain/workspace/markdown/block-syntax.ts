/**
 * Recognises the one-line marks of block structure (headings, fences, rules, list markers) at a given offset of a
 * line. Nothing here knows about containers or about the lines before.
 */

import {
  BACKTICK,
  DASH,
  DOT,
  EQUALS,
  HASH,
  isDigit,
  isSpaceOrTab,
  PLUS,
  RIGHT_PAREN,
  STAR,
  skipSpacesAndTabs,
  TILDE,
  trimSpacesAndTabs,
  UNDERSCORE,
} from './char-codes.ts';

/** How many times `code` stands at `at`. */
function runLength(text: string, at: number, end: number, code: number): number {
  let stop = at;
  while (stop < end && text.charCodeAt(stop) === code) stop++;
  return stop - at;
}

/** The level of the ATX heading that begins at `at`, or 0. */
export function atxLevel(text: string, at: number, end: number): number {
  const level = runLength(text, at, Math.min(end, at + 7), HASH);
  if (level === 0 || level > 6) return 0;
  return at + level === end || isSpaceOrTab(text.charCodeAt(at + level)) ? level : 0;
}

/** Where the content of an ATX heading lies, without its opening and closing `#`s; `at` is its first `#`. */
export function atxContent(text: string, at: number, end: number): { start: number; end: number } {
  const start = skipSpacesAndTabs(text, at + runLength(text, at, end, HASH), end);
  const trimmed = trimSpacesAndTabs(text, start, end);
  let stop = trimmed;
  while (stop > start && text.charCodeAt(stop - 1) === HASH) stop--;
  if (stop === start) return { start, end: start };
  const closes = stop < trimmed && isSpaceOrTab(text.charCodeAt(stop - 1));
  return { start, end: closes ? trimSpacesAndTabs(text, start, stop) : trimmed };
}

/** The length of the opening code fence at `at`, or 0. The info string of a backtick fence holds no backtick. */
export function openingFence(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  if (code !== BACKTICK && code !== TILDE) return 0;
  const length = runLength(text, at, end, code);
  if (length < 3) return 0;
  if (code === BACKTICK) {
    for (let i = at + length; i < end; i++) if (text.charCodeAt(i) === BACKTICK) return 0;
  }
  return length;
}

/** True when the line from `at` closes a fence of `length` characters `code`. */
export function isClosingFence(text: string, at: number, end: number, code: number, length: number): boolean {
  const run = runLength(text, at, end, code);
  return run >= length && skipSpacesAndTabs(text, at + run, end) === end;
}

/** The heading level that the line from `at` gives to the paragraph above it: 1, 2, or 0 when it is no underline. */
export function setextLevel(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  if (code !== EQUALS && code !== DASH) return 0;
  const stop = at + runLength(text, at, end, code);
  if (skipSpacesAndTabs(text, stop, end) !== end) return 0;
  return code === EQUALS ? 1 : 2;
}

/**
 * `end` when the line from `at` is a thematic break; otherwise the offset of the character that spoils it, so that the
 * caller need not look again for any start before that offset (`- - - - x` would otherwise cost a square).
 */
export function thematicBreakReach(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  if (code !== STAR && code !== DASH && code !== UNDERSCORE) return at;
  let count = 0;
  let i = at;
  for (; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === code) count++;
    else if (!isSpaceOrTab(c)) return i;
  }
  return count >= 3 ? end : at;
}

/**
 * The length of the list marker at `at`, or 0. A marker that interrupts a paragraph must be a bullet or number one,
 * and something must follow it.
 */
export function listMarker(text: string, at: number, end: number, interrupts: boolean): number {
  const code = text.charCodeAt(at);
  let length = 0;
  if (code === STAR || code === PLUS || code === DASH) {
    length = 1;
  } else if (isDigit(code)) {
    let stop = at + 1;
    while (stop < end && stop - at < 9 && isDigit(text.charCodeAt(stop))) stop++;
    const delimiter = stop < end ? text.charCodeAt(stop) : 0;
    if (delimiter !== DOT && delimiter !== RIGHT_PAREN) return 0;
    if (interrupts && !(stop - at === 1 && code === 49)) return 0;
    length = stop - at + 1;
  } else {
    return 0;
  }
  const after = at + length;
  if (after < end && !isSpaceOrTab(text.charCodeAt(after))) return 0;
  if (interrupts && skipSpacesAndTabs(text, after, end) === end) return 0;
  return length;
}

const anchorLine = /[ \t]*\^[A-Za-z0-9-]+[ \t]*(?=[\r\n]|$)/y;

/** True when the line from `at` holds nothing but a block id. */
export function isAnchorLine(text: string, at: number): boolean {
  anchorLine.lastIndex = at;
  return anchorLine.test(text);
}
