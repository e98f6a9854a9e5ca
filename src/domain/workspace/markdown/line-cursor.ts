import { BYTE_ORDER_MARK, CR, LF, SPACE, TAB } from './char-codes.ts';

/**
 * Walks a text line by line and, inside a line, over the white space and markers that containers consume, with
 * columns counted as CommonMark counts them (a tab reaches to the next multiple of four and may be half used up).
 */
export class LineCursor {
  readonly text: string;
  /** Where the line begins, where its content ends, and where the next line begins. */
  lineStart = 0;
  lineEnd = 0;
  nextStart = 0;
  /** What is not consumed yet. The column may lie inside the tab at `offset`. */
  offset = 0;
  column = 0;
  /** The first character after the white space at `offset`; `#measure` keeps these true. */
  contentStart = 0;
  contentColumn = 0;

  #nextLf = -1;
  #nextCr = -1;

  constructor(text: string) {
    this.text = text;
  }

  /** Moves to the next line; false at the end of the text. */
  nextLine(): boolean {
    const { text } = this;
    const start = this.nextStart;
    if (start >= text.length) return false;
    if (this.#nextLf < start) this.#nextLf = endOrLater(text.indexOf('\n', start), text.length);
    if (this.#nextCr < start) this.#nextCr = endOrLater(text.indexOf('\r', start), text.length);
    const end = Math.min(this.#nextLf, this.#nextCr);
    this.lineStart = start;
    this.lineEnd = end;
    this.nextStart = text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF ? end + 2 : end + 1;
    if (this.nextStart > text.length) this.nextStart = text.length;
    this.offset = start === 0 && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : start;
    this.column = 0;
    this.#measure();
    return true;
  }

  /** Columns of white space before the content. */
  get indent(): number {
    return this.contentColumn - this.column;
  }

  get isBlank(): boolean {
    return this.contentStart >= this.lineEnd;
  }

  /** Finds the content. Needed after a marker only: white space that is consumed leaves the content where it is. */
  #measure(): void {
    const { text, lineEnd } = this;
    let at = this.offset;
    let column = this.column;
    while (at < lineEnd) {
      const code = text.charCodeAt(at);
      if (code === SPACE) column++;
      else if (code === TAB) column += 4 - (column % 4);
      else break;
      at++;
    }
    this.contentStart = at;
    this.contentColumn = column;
  }

  /** Consumes up to `count` columns of white space. */
  skipColumns(count: number): void {
    const { text, lineEnd } = this;
    let left = count;
    while (left > 0 && this.offset < lineEnd) {
      const code = text.charCodeAt(this.offset);
      if (code === TAB) {
        const width = 4 - (this.column % 4);
        if (left < width) {
          this.column += left;
          return;
        }
        this.column += width;
        left -= width;
      } else if (code === SPACE) {
        this.column++;
        left--;
      } else {
        return;
      }
      this.offset++;
    }
  }

  /** Consumes the white space before the content and then `length` characters of a marker. */
  skipMarker(length: number): void {
    this.offset = this.contentStart + length;
    this.column = this.contentColumn + length;
    this.#measure();
  }

  /** The code of the first character of the content. */
  get contentCode(): number {
    return this.text.charCodeAt(this.contentStart);
  }
}

function endOrLater(index: number, end: number): number {
  return index < 0 ? end : index;
}
