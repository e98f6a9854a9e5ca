import { describe, expect, it } from 'vitest';
import { randomFor, times } from '../../../test/support/random.ts';
import { toVectorBytes, VECTOR_MIN, VECTOR_STEP } from '../../domain/workspace/semantic/vector-bytes.ts';
import { createVectorShelf } from './vector-shelf.ts';

const DIMENSIONS = 384;

describe('[SEM-04] a shelf of vectors', () => {
  const random = randomFor('vector shelf');
  const vector = (): Float32Array => {
    const raw = Float32Array.from({ length: DIMENSIONS }, () => random.next() - 0.5);
    const length = Math.hypot(...raw);
    return raw.map((x) => x / length);
  };
  const bytesOf = (passages: number): Uint8Array =>
    Buffer.concat(Array.from({ length: passages }, () => toVectorBytes(vector())));
  const cosine = (query: Float32Array, bytes: Uint8Array): number =>
    query.reduce((sum, x, i) => sum + x * ((bytes[i] ?? 0) * VECTOR_STEP + VECTOR_MIN), 0);

  it('finds the nearest pages as a plain comparison does, whatever was replaced', () => {
    const shelf = createVectorShelf(DIMENSIONS);
    const kept = new Map<string, Uint8Array>();
    expect(shelf.nearest(vector(), 5)).toEqual([]);
    for (let round = 0; round < times(30, 200); round += 1) {
      const pages = Array.from({ length: random.between(1, 60) }, () => ({
        page: `p${random.between(0, 80)}`,
        vectors: bytesOf(random.between(0, 4)),
      }));
      shelf.put(pages);
      for (const { page, vectors } of pages) kept.set(page, vectors);
      const query = vector();
      const expected = [...kept]
        .filter(([, vectors]) => vectors.length > 0)
        .map(([page, vectors]) => ({ page, score: bestOf(query, vectors) }))
        .sort((a, b) => b.score - a.score);
      const found = shelf.nearest(query, 10);
      expect(found).toHaveLength(Math.min(10, expected.length));
      for (const [i, hit] of found.entries()) {
        expect(hit.score).toBeCloseTo(expected[i]?.score ?? 0, 2);
        const own = kept.get(hit.page)?.subarray(hit.passage * DIMENSIONS) as Uint8Array;
        expect(cosine(query, own)).toBeCloseTo(hit.score, 2);
      }
      const among = new Set(['p1', 'p2', 'p3']);
      for (const hit of shelf.nearest(query, 10, among)) expect(among.has(hit.page)).toBe(true);
    }
  });

  function bestOf(query: Float32Array, vectors: Uint8Array): number {
    const rows = Array.from({ length: vectors.length / DIMENSIONS }, (_, i) =>
      cosine(query, vectors.subarray(i * DIMENSIONS)),
    );
    return Math.max(...rows);
  }
});
