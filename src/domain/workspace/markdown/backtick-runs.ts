/** Where the runs of backticks of a stretch of prose stand, by length, so that matching a code span is a lookup. */
export class BacktickRuns {
  readonly #startsByLength = new Map<number, number[]>();

  constructor(source: string) {
    let at = source.indexOf('`');
    while (at >= 0) {
      let end = at + 1;
      while (source.charCodeAt(end) === 96) end++;
      const starts = this.#startsByLength.get(end - at);
      if (starts) starts.push(at);
      else this.#startsByLength.set(end - at, [at]);
      at = source.indexOf('`', end);
    }
  }

  /** The end of the code span that a run of `length` backticks opens when it ends at `from`, or -1. */
  spanEnd(from: number, length: number): number {
    const starts = this.#startsByLength.get(length);
    if (!starts) return -1;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    const start = starts[low];
    return start === undefined ? -1 : start + length;
  }
}
