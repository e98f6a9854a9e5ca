/** The prose of a leaf that may hold a given character, ready for the inline scanner; all other prose is passed over. */

import type { Leaf } from './block-scan.ts';
import { InlineUnit } from './inline-unit.ts';

export class TextUnits {
  readonly #text: string;
  readonly #needle: string;
  /** The first needle at or after the last place that was asked for. */
  #next = -1;

  constructor(text: string, needle: string) {
    this.#text = text;
    this.#needle = needle;
  }

  /** The units of a leaf: one in all, or one a cell in a table. Leaves must be asked for in order. */
  of(leaf: Leaf): readonly InlineUnit[] {
    if (!leaf.isText) return [];
    const { lines } = leaf;
    if (leaf.kind !== 'table')
      return this.#has(lines[0], lines.at(-1)) ? [new InlineUnit(this.#text, lines)] : [];
    const units: InlineUnit[] = [];
    for (let i = 0; i < lines.length; i += 2) {
      if (this.#has(lines[i], lines[i + 1])) units.push(new InlineUnit(this.#text, lines.slice(i, i + 2)));
    }
    return units;
  }

  #has(start = 0, end = 0): boolean {
    if (this.#next < start) {
      const found = this.#text.indexOf(this.#needle, start);
      this.#next = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#next < end;
  }
}
