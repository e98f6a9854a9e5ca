/**
 * Decides where a `$$` formula or a `%%` comment that begins a line is a block. Neither is CommonMark; the rules are
 * ours: nothing is a block that is not closed later on the page, so a stray mark can never hide the rest of a page.
 */

import { CR, DOLLAR, GREATER, isSpaceOrTab, LF, skipSpacesAndTabs } from './char-codes.ts';

export type DelimitedMark = '$$' | '%%';

type DelimitedStart = 'one-line' | 'opens' | undefined;

export class DelimitedBlocks {
  readonly #text: string;
  /** How far the paragraph that is open now was counted; its lines only ever grow. */
  readonly #counted: Partial<
    Record<DelimitedMark, { lines: readonly number[]; upTo: number; count: number }>
  > = {};

  constructor(text: string) {
    this.#text = text;
  }

  /** What begins at `at`, where `mark` stands; `above` are the lines of the paragraph it would interrupt. */
  startAt(mark: DelimitedMark, at: number, lineEnd: number, above: readonly number[]): DelimitedStart {
    const text = this.#text;
    const code = mark.charCodeAt(0);
    let inside = at;
    while (text.charCodeAt(inside) === code) inside++;
    // The next mark is at most as far as the next line that asks, so all these searches together are one pass.
    const close = text.indexOf(mark, inside);
    if (close < 0) return undefined;
    if (close < lineEnd) {
      const rest = skipSpacesAndTabs(text, close + 2, lineEnd);
      return rest === lineEnd && above.length === 0 ? 'one-line' : undefined;
    }
    if (code === DOLLAR && skipSpacesAndTabs(text, inside, lineEnd) < lineEnd) {
      // A formula that begins on the line of its mark must be one paragraph, as `$$ cheap` may be just a price class.
      if (above.length > 0 || hasBlankLine(text, lineEnd, close)) return undefined;
    }
    return this.#marksIn(mark, above) % 2 === 0 ? 'opens' : undefined;
  }

  /** Marks in the paragraph above: an odd number means that this one closes what they opened. */
  #marksIn(mark: DelimitedMark, lines: readonly number[]): number {
    let counted = this.#counted[mark];
    if (counted?.lines !== lines) {
      counted = { lines, upTo: 0, count: 0 };
      this.#counted[mark] = counted;
    }
    for (; counted.upTo < lines.length; counted.upTo += 2) {
      const end = lines[counted.upTo + 1] ?? 0;
      let at = markOnLine(this.#text, mark, lines[counted.upTo] ?? 0, end);
      while (at >= 0) {
        counted.count++;
        at = markOnLine(this.#text, mark, at + 2, end);
      }
    }
    return counted.count;
  }
}

/** The offset of `mark` between `from` and `end`, or -1. */
export function markOnLine(text: string, mark: DelimitedMark, from: number, end: number): number {
  const code = mark.charCodeAt(0);
  for (let i = from; i + 1 < end; i++) {
    if (text.charCodeAt(i) === code && text.charCodeAt(i + 1) === code) return i;
  }
  return -1;
}

/** True when a line between two offsets holds nothing, or nothing but the marks of a quote. */
function hasBlankLine(text: string, from: number, end: number): boolean {
  let isBlank = false;
  for (let i = from; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === LF || code === CR) {
      if (isBlank) return true;
      if (code === CR && text.charCodeAt(i + 1) === LF) i++;
      isBlank = true;
    } else if (!isSpaceOrTab(code) && code !== GREATER) {
      isBlank = false;
    }
  }
  return false;
}
