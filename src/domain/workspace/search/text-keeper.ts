/**
 * Collects the parts of a source that are kept, collapses white space between them and remembers where each
 * came from.
 */

export interface PlainText {
  text: string;
  /** The place in the source of the character at `index`; of the end when `index` is the length. */
  sourceIndex(index: number): number;
}

export interface TextKeeper {
  keep(from: number, to: number): void;
  /** Makes sure what is kept next does not touch what was kept before. */
  space(): void;
  finish(): PlainText;
}

const blank = /\s/;

export function createTextKeeper(source: string): TextKeeper {
  const pieces: string[] = [];
  /** Places in the text and, beside them, in the source, where a stretch of equal distance begins. */
  const textStarts: number[] = [];
  const sourceStarts: number[] = [];
  let length = 0;
  let end = 0;
  let spaced = false;

  function add(from: number, to: number): void {
    if (spaced && length > 0) {
      pieces.push(' ');
      length += 1;
    }
    spaced = false;
    if (from - length !== (sourceStarts.at(-1) ?? 0) - (textStarts.at(-1) ?? 0) || textStarts.length === 0) {
      textStarts.push(length);
      sourceStarts.push(from);
    }
    pieces.push(source.slice(from, to));
    length += to - from;
    end = to;
  }

  return {
    keep(from, to) {
      let start = from;
      for (let at = from; at < to; at += 1) {
        if (!blank.test(source.charAt(at))) continue;
        if (at > start) add(start, at);
        spaced = true;
        start = at + 1;
      }
      if (to > start) add(start, to);
    },
    space() {
      spaced = true;
    },
    finish() {
      const text = pieces.join('');
      return {
        text,
        sourceIndex: (index) => (index >= length ? end : locate(textStarts, sourceStarts, index)),
      };
    },
  };
}

function locate(textStarts: readonly number[], sourceStarts: readonly number[], index: number): number {
  let low = 0;
  let high = textStarts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((textStarts[middle] ?? 0) <= index) low = middle;
    else high = middle;
  }
  return (sourceStarts[low] ?? 0) + index - (textStarts[low] ?? 0);
}
