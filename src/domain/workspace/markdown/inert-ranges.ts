/** Where a stretch of prose holds no words of its own: code, formulas, comments, HTML, and all of a link but its text. */

import { scanInline } from './scan-inline.ts';

export class InertRanges {
  readonly #ranges: { readonly start: number; readonly end: number }[] = [];
  #at = 0;

  constructor(source: string, isHtml: boolean) {
    for (const token of scanInline(source, isHtml)) {
      this.#ranges.push(token.kind === 'link' ? { start: token.textEnd, end: token.end } : token);
    }
    this.#ranges.sort((a, b) => a.start - b.start);
  }

  /** True when `offset` lies in such a range. Offsets must be asked for in order. */
  has(offset: number): boolean {
    // The ranges do not overlap, so one that ends before an offset is of no use to a later one.
    while ((this.#ranges[this.#at]?.end ?? Number.POSITIVE_INFINITY) <= offset) this.#at++;
    return (this.#ranges[this.#at]?.start ?? Number.POSITIVE_INFINITY) <= offset;
  }
}
