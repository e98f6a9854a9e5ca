/**
 * The vectors of one workspace in a memory that the kernel can scan, a row for each passage. Rows of a page that
 * changed are left behind and swept out once they are as many as the others.
 */
import type { NearestPage, StoredVectors } from '../../domain/workspace/ports/vector-scan.ts';
import { VECTOR_MIN, VECTOR_STEP } from '../../domain/workspace/semantic/vector-bytes.ts';
import { createKernel, type Kernel } from './kernel.ts';

export interface VectorShelf {
  put(pages: readonly StoredVectors[]): void;
  /** The best passage of each of the best pages, best first, then in order of ids. */
  nearest(query: Float32Array, limit: number, among?: ReadonlySet<string>): NearestPage[];
}

interface Place {
  readonly page: string;
  readonly passage: number;
}

const WASM_PAGE = 65_536;
const QUERY_STEPS = 2047;

export function createVectorShelf(dimensions: number): VectorShelf {
  const queryBytes = dimensions * 2;
  const kernel: Kernel = createKernel(WASM_PAGE);
  /** Undefined = left behind. */
  let places: (Place | undefined)[] = [];
  const rowsOf = new Map<string, number[]>();
  let left = 0;

  const rowAt = (row: number): number => queryBytes + row * dimensions;
  /** Behind the rows, rounded up to four, lies a score for each. */
  const scoresAt = (): number => rowAt((places.length + 3) & ~3);
  const bytes = (): Uint8Array => new Uint8Array(kernel.memory.buffer);

  const grow = (): void => {
    const missing = scoresAt() + places.length * 4 + 64 - kernel.memory.buffer.byteLength;
    if (missing > 0) kernel.memory.grow(Math.ceil(Math.max(missing, scoresAt() / 8) / WASM_PAGE));
  };
  const forget = (page: string): void => {
    for (const row of rowsOf.get(page) ?? []) {
      places[row] = undefined;
      left += 1;
    }
    rowsOf.delete(page);
  };
  const sweep = (): void => {
    if (left < 1_000 || left * 2 < places.length) return;
    const all = bytes();
    const kept: Place[] = [];
    rowsOf.clear();
    for (const [row, place] of places.entries()) {
      if (!place) continue;
      all.copyWithin(rowAt(kept.length), rowAt(row), rowAt(row + 1));
      rowsOf.set(place.page, [...(rowsOf.get(place.page) ?? []), kept.length]);
      kept.push(place);
    }
    places = kept;
    left = 0;
  };

  return {
    put(pages) {
      for (const { page, vectors } of pages) {
        forget(page);
        const first = places.length;
        const count = Math.floor(vectors.length / dimensions);
        for (let i = 0; i < count; i += 1) places.push({ page, passage: i });
        rowsOf.set(
          page,
          Array.from({ length: count }, (_, i) => first + i),
        );
        grow();
        bytes().set(vectors.subarray(0, count * dimensions), rowAt(first));
      }
      sweep();
    },

    nearest(query, limit, among) {
      grow();
      const steps = new Int16Array(kernel.memory.buffer, 0, dimensions);
      let sum = 0;
      for (const [i, x] of query.entries()) {
        steps[i] = Math.round(x * QUERY_STEPS);
        sum += steps[i] as number;
      }
      const count = (places.length + 3) & ~3;
      if (count > 0) kernel.run.scan(0, rowAt(0), scoresAt(), count, dimensions);
      const dots = new Int32Array(kernel.memory.buffer, scoresAt(), count);
      const best = new Map<string, number>();
      for (const [row, place] of places.entries()) {
        if (!place || (among && !among.has(place.page))) continue;
        const known = best.get(place.page);
        if (known === undefined || (dots[row] as number) > (dots[known] as number)) best.set(place.page, row);
      }
      const score = (row: number): number =>
        ((dots[row] as number) * VECTOR_STEP + sum * VECTOR_MIN) / QUERY_STEPS;
      return largest([...best], limit, ([a, one], [b, other]) => {
        return (dots[other] as number) - (dots[one] as number) || (a < b ? -1 : 1);
      }).map(([page, row]) => ({ page, passage: places[row]?.passage ?? 0, score: score(row) }));
    },
  };
}

/** The first of the items in that order, without sorting the rest. */
function largest<Item>(items: readonly Item[], limit: number, compare: (a: Item, b: Item) => number): Item[] {
  const first: Item[] = [];
  for (const item of items) {
    const last = first.at(-1);
    if (first.length >= limit && last !== undefined && compare(item, last) >= 0) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(first[middle] as Item, item) < 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, item);
    if (first.length > limit) first.pop();
  }
  return first;
}
