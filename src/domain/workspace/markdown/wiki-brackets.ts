/** Pairs the brackets of wiki links: the innermost pair makes the link, on one line, and one `]` does not end it. */

import { BACKSLASH, BACKTICK, CR, LEFT_BRACKET, LF, RIGHT_BRACKET } from './char-codes.ts';

/** The end of a run of backticks, and of the code span that it opens, or -1. */
export interface CodeSpan {
  readonly after: number;
  readonly end: number;
}

/**
 * Where the closing brackets of the wiki link stand whose content begins at `from`, or -1. `codeSpanAt` says where code
 * is, as brackets in code close nothing; without it there is no code.
 */
export function wikiInnerEnd(source: string, from: number, codeSpanAt?: (at: number) => CodeSpan): number {
  // Of `[[[x]]` the last two brackets make the link.
  if (source.charCodeAt(from) === LEFT_BRACKET) return -1;
  let i = from;
  while (i < source.length) {
    const code = source.charCodeAt(i);
    if (code === RIGHT_BRACKET && source.charCodeAt(i + 1) === RIGHT_BRACKET) {
      return isEmpty(source, from, i) ? -1 : i;
    }
    if (code === LEFT_BRACKET && source.charCodeAt(i + 1) === LEFT_BRACKET) return -1;
    if (code === LF || code === CR) return -1;
    if (codeSpanAt && code === BACKSLASH && source.charCodeAt(i + 1) === BACKTICK) {
      i += 2;
    } else if (codeSpanAt && code === BACKTICK) {
      const { after, end } = codeSpanAt(i);
      if (end >= 0 && /[\r\n]/.test(source.slice(after, end))) return -1;
      i = end < 0 ? after : end;
    } else {
      i++;
    }
  }
  return -1;
}

/** True when neither a path nor a fragment stands before the bar: `[[]]`, `[[#]]`, `[[|text]]`. */
function isEmpty(source: string, from: number, end: number): boolean {
  const inner = source.slice(from, end);
  const bar = inner.indexOf('|');
  return /^[\s#\\]*$/.test(bar < 0 ? inner : inner.slice(0, bar));
}
