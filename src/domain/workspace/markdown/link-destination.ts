/** Reads the destination and the title of a Markdown link, which inline links and definitions share. */

import {
  APOSTROPHE,
  BACKSLASH,
  CR,
  GREATER,
  isAsciiPunctuation,
  isSpace,
  LEFT_BRACKET,
  LEFT_PAREN,
  LESS,
  LF,
  QUOTE,
  RIGHT_PAREN,
} from './char-codes.ts';

/** `start` and `end` bound the destination without its angle brackets, `next` is where reading goes on. */
export interface Destination {
  readonly start: number;
  readonly end: number;
  readonly next: number;
  readonly angle: boolean;
}

/** Nesting of parentheses that an inline destination may have; a limit keeps `](](](` linear. */
const INLINE_PAREN_LIMIT = 32;

/**
 * The destination at `at`, or undefined. A bare one that begins with `[[` is refused: the author of
 * `[text]([[Note]])` means the wiki link.
 */
export function readDestination(text: string, at: number, parenLimit: number): Destination | undefined {
  if (text.charCodeAt(at) === LESS) return readAngle(text, at);
  if (text.charCodeAt(at) === LEFT_BRACKET && text.charCodeAt(at + 1) === LEFT_BRACKET) return undefined;
  let depth = 0;
  let i = at;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) {
      if (isAsciiPunctuation(text.charCodeAt(i + 1))) i++;
    } else if (code === LEFT_PAREN) {
      if (++depth > parenLimit) return undefined;
    } else if (code === RIGHT_PAREN) {
      if (depth === 0) break;
      depth--;
    } else if (isSpace(code)) {
      break;
    } else if ((code < 32 && code > 0) || code === 127) {
      return undefined;
    }
  }
  return depth === 0 ? { start: at, end: i, next: i, angle: false } : undefined;
}

function readAngle(text: string, at: number): Destination | undefined {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === GREATER) return { start: at + 1, end: i, next: i + 1, angle: true };
    if (code === LESS || code === LF || code === CR) return undefined;
    if (code === BACKSLASH && isAsciiPunctuation(text.charCodeAt(i + 1))) i++;
  }
  return undefined;
}

/** The offset after the title that begins at `at`, or -1. */
export function titleEnd(text: string, at: number): number {
  const open = text.charCodeAt(at);
  if (open !== QUOTE && open !== APOSTROPHE && open !== LEFT_PAREN) return -1;
  const close = open === LEFT_PAREN ? RIGHT_PAREN : open;
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === close) return i + 1;
    if (code === LEFT_PAREN && open === LEFT_PAREN) return -1;
    if (code === BACKSLASH && isAsciiPunctuation(text.charCodeAt(i + 1))) i++;
  }
  return -1;
}

export function skipSpaces(text: string, from: number): number {
  let i = from;
  while (isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** What stands in the parentheses after a link text: the destination and the end of the whole, or undefined. */
export function readResource(
  text: string,
  open: number,
): (Destination & { readonly close: number }) | undefined {
  if (text.charCodeAt(open) !== LEFT_PAREN) return undefined;
  const destination = readDestination(text, skipSpaces(text, open + 1), INLINE_PAREN_LIMIT);
  if (!destination) return undefined;
  let i = skipSpaces(text, destination.next);
  if (text.charCodeAt(i) !== RIGHT_PAREN) {
    // A title needs white space before it, and an absent destination cannot have one.
    if (i === destination.next) return undefined;
    i = titleEnd(text, i);
    if (i < 0) return undefined;
    i = skipSpaces(text, i);
    if (text.charCodeAt(i) !== RIGHT_PAREN) return undefined;
  }
  return { ...destination, close: i + 1 };
}
