import { GREATER, isSpaceOrTab } from './char-codes.ts';
import type { LineCursor } from './line-cursor.ts';

interface Container {
  readonly isQuote: boolean;
  /** Columns of indent that a line needs to stay in the list item. */
  readonly indent: number;
  /** A list item that began with a blank line ends at a second one. */
  isEmpty: boolean;
}

/** The quotes and list items that are open, outermost first. */
export class ContainerStack {
  readonly #containers: Container[] = [];
  /** Depths of the quotes, so that a blank line does not have to visit every list item (that would be a square). */
  readonly #quoteDepths: number[] = [];

  get depth(): number {
    return this.#containers.length;
  }

  /** Consumes the marks of the containers that the line continues and answers how many those are. */
  match(cursor: LineCursor): number {
    const count = this.#containers.length;
    let quotes = 0;
    for (let depth = 0; depth < count; depth++) {
      if (cursor.isBlank) return this.#matchBlank(this.#quoteDepths[quotes] ?? count);
      const container = this.#containers[depth];
      if (!container) return depth;
      if (container.isQuote) {
        if (cursor.indent > 3 || cursor.contentCode !== GREATER) return depth;
        skipQuoteMark(cursor);
        quotes++;
      } else {
        if (cursor.indent < container.indent) return depth;
        cursor.skipColumns(container.indent);
      }
    }
    return count;
  }

  #matchBlank(reach: number): number {
    const last = this.#containers[reach - 1];
    return reach === this.depth && last?.isEmpty && !last.isQuote ? reach - 1 : reach;
  }

  /** Opens the quote whose `>` is the next content of the line. */
  openQuote(cursor: LineCursor): void {
    this.touch();
    this.#quoteDepths.push(this.depth);
    this.#containers.push({ isQuote: true, indent: 0, isEmpty: false });
    skipQuoteMark(cursor);
  }

  /** Opens the list item whose marker of `length` characters is the next content of the line. */
  openItem(cursor: LineCursor, length: number): void {
    this.touch();
    const before = cursor.indent;
    cursor.skipMarker(length);
    const isEmpty = cursor.isBlank;
    // Five columns and more are indented code after one column; a blank rest counts as one column too.
    const gap = isEmpty || cursor.indent > 4 ? 1 : cursor.indent;
    cursor.skipColumns(gap);
    this.#containers.push({ isQuote: false, indent: before + length + gap, isEmpty });
  }

  /** Notes that the innermost container has content now. */
  touch(): void {
    const last = this.#containers[this.depth - 1];
    if (last) last.isEmpty = false;
  }

  closeTo(depth: number): void {
    while (this.#containers.length > depth) {
      if (this.#containers.pop()?.isQuote) this.#quoteDepths.pop();
    }
  }
}

function skipQuoteMark(cursor: LineCursor): void {
  cursor.skipMarker(1);
  if (cursor.offset < cursor.lineEnd && isSpaceOrTab(cursor.text.charCodeAt(cursor.offset)))
    cursor.skipColumns(1);
}
