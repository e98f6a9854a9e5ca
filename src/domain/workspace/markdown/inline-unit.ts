/**
 * A stretch of prose as one string (the lines of a paragraph without the marks of their containers) that can say where
 * in the page each of its characters stands.
 */
export class InlineUnit {
  readonly source: string;
  /** Where each line begins in `source`, and in the page. One entry when the page holds the unit in one piece. */
  readonly #starts: readonly number[];
  readonly #origins: readonly number[];

  /** `lines` are pairs of offsets into `text`, as in a leaf. */
  constructor(text: string, lines: readonly number[]) {
    const first = lines[0] ?? 0;
    if (isContiguous(text, lines)) {
      this.source = text.slice(first, lines.at(-1));
      this.#starts = [0];
      this.#origins = [first];
      return;
    }
    const pieces: string[] = [];
    const starts: number[] = [];
    const origins: number[] = [];
    let length = 0;
    for (let i = 0; i < lines.length; i += 2) {
      const from = lines[i] ?? 0;
      const piece = text.slice(from, lines[i + 1]);
      pieces.push(piece);
      starts.push(length);
      origins.push(from);
      length += piece.length + 1;
    }
    this.source = pieces.join('\n');
    this.#starts = starts;
    this.#origins = origins;
  }

  /** The offset in the page of the character at `offset`; right for ends of spans too, as none ends after a line break. */
  toText(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return (this.#origins[low] ?? 0) + offset - (this.#starts[low] ?? 0);
  }
}

/** True when nothing but line terminators lies between the lines. */
function isContiguous(text: string, lines: readonly number[]): boolean {
  for (let i = 2; i < lines.length; i += 2) {
    const gap = (lines[i] ?? 0) - (lines[i - 1] ?? 0);
    if (gap !== 1 && !(gap === 2 && text.startsWith('\r\n', lines[i - 1]))) return false;
  }
  return true;
}
