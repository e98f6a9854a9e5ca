import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { testSeed } from '../../../test/support/seed.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createBuiltinEmbedder } from './builtin-embedder.ts';
import type { ScanningEmbedder } from './worker-scan.ts';

const embedder = createBuiltinEmbedder() as ScanningEmbedder;
afterAll(() => embedder.close());

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
const embed = async (...texts: string[]): Promise<Float32Array[]> => [
  ...(await embedder.embed(texts, 'passage')),
];

describe('[SEM-01] the built-in embedder', () => {
  /** As published for the model in 32-bit numbers; ours has a byte for each weight. */
  it.each([
    ['A man is eating food.', 0.7035],
    ['A man is eating a piece of bread.', 0.5272],
    ['A man is riding a horse.', 0.1889],
    ['A man is riding a white horse on an enclosed ground.', 0.1047],
    ['A cheetah is running behind its prey.', 0.098],
  ])('finds "A man is eating pasta." as near to %j as the model is known to', async (text, cosine) => {
    const [one, other] = await embed('A man is eating pasta.', text);
    expect(dot(one as Float32Array, other as Float32Array)).toBeCloseTo(cosine, 1);
    expect(Math.abs(dot(one as Float32Array, other as Float32Array) - cosine)).toBeLessThan(0.03);
  });

  it('gives the vectors it always gave', async () => {
    const [vector] = await embed('A man is eating pasta.');
    const known = [-0.0178, -0.043, -0.013, 0.0618, -0.1033];
    for (const [i, x] of known.entries()) expect(vector?.[i]).toBeCloseTo(x, 3);
  });

  it('reads words whatever their case, accents and invisible characters', async () => {
    const [one, other] = await embed('Z\u00e9ro\u200bWidth', 'zerowidth');
    expect(dot(one as Float32Array, other as Float32Array)).toBeCloseTo(1, 5);
  });
});

describe('[SEM-02] whatever it is given, the embedder', () => {
  it('answers a unit vector, the same every time', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom('', ' ', '\0', '\ud800', '[CLS] [SEP] ##a', 'a'.repeat(5_000), '笔记'.repeat(300)),
    );
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        const [one, other] = await embed(given, given);
        expect(dot(one as Float32Array, one as Float32Array)).toBeCloseTo(1, 4);
        expect(other).toEqual(one);
      }),
      { seed: testSeed(), numRuns: 30 },
    );
  });

  it('leaves the event loop to others', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await embed(...Array.from({ length: 5 }, (_, i) => `passage ${i} of a long text `.repeat(60)));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
  });

  it('takes a query before the passages that wait', async () => {
    const done: string[] = [];
    const passages = embedder
      .embed(
        Array.from({ length: 6 }, (_, i) => `waits ${i} `.repeat(50)),
        'passage',
      )
      .then(() => done.push('passages'));
    await embedder.embed(['now'], 'query').then(() => done.push('query'));
    await passages;
    expect(done).toEqual(['query', 'passages']);
  });
});

describe('[SEM-16] the worker', () => {
  it('is gone when nobody needs it, and comes back', async () => {
    const resting = createBuiltinEmbedder(undefined, 1) as ScanningEmbedder;
    const [before] = await resting.embed(['again'], 'query');
    const { generation } = resting.scan;
    while (resting.scan.generation === generation) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await resting.embed(['again'], 'query'))[0]).toEqual(before);
    await resting.close();
  });

  it('is not there without its package, and refuses files that are not the ones it knows', async () => {
    const elsewhere = createBuiltinEmbedder(temporaryFolder()) as ScanningEmbedder;
    await expect(elsewhere.embed(['a'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
    await elsewhere.close();
    await expect(elsewhere.embed(['a'], 'query')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
