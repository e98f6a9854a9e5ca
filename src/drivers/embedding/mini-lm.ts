/** all-MiniLM-L6-v2: the numbers of a text to the unit vector that stands for its meaning. */
import { createAllotment, createKernel } from './kernel.ts';
import { type Tensor, tableOf, tensorNamed, toFloats } from './tensors.ts';

export const DIMENSIONS = 384;
/** Longer texts are cut; the model was trained on no more. */
export const MOST_TOKENS = 256;

const LAYERS = 6;
const HEADS = 12;
const HEAD_BYTES = (DIMENSIONS / HEADS) * 4;
const WIDE = DIMENSIONS * 4;
const ROW_BYTES = DIMENSIONS * 4;
/** Activations are rounded to twelve bits and a sign. */
const STEPS = 2047;

interface Linear {
  readonly at: number;
  readonly bias: number;
  readonly depth: number;
  readonly columns: number;
  readonly scale: number;
  readonly min: number;
}

interface Norm {
  readonly gain: Float32Array;
  readonly shift: Float32Array;
}

export interface MiniLm {
  embed(tokens: readonly number[]): Float32Array;
}

export function createMiniLm(tensors: ReadonlyMap<string, Tensor>): MiniLm {
  const weights = LAYERS * (4 * DIMENSIONS * DIMENSIONS + 2 * DIMENSIONS * WIDE + 16 * DIMENSIONS * 4);
  const activations = (MOST_TOKENS + 8) * (WIDE * 2 + WIDE * 4 + 6 * ROW_BYTES + 16);
  const { memory, run } = createKernel(weights + activations + 65_536);
  const { take } = createAllotment();
  const bytes = new Uint8Array(memory.buffer);
  const floats = new Float32Array(memory.buffer);
  const shorts = new Int16Array(memory.buffer);

  /** The file has a row for each input; the kernel wants one for each output. */
  const linear = (name: string): Linear => {
    const weight = tensorNamed(tensors, `${name}/Tensordot/ReadVariableOp`);
    const [depth = 0, columns = 0] = weight.shape;
    const at = take(depth * columns);
    for (let k = 0; k < depth; k += 1)
      for (let n = 0; n < columns; n += 1) bytes[at + n * depth + k] = weight.bytes[k * columns + n] ?? 0;
    const bias = take(columns * 4);
    floats.set(toFloats(tensorNamed(tensors, `${name}/BiasAdd/ReadVariableOp`)), bias >> 2);
    return { at, bias, depth, columns, scale: weight.scale, min: weight.min };
  };
  const norm = (name: string): Norm => ({
    shift: toFloats(tensorNamed(tensors, `${name}/batchnorm/ReadVariableOp`)),
    gain: toFloats(tensorNamed(tensors, `${name}/batchnorm/mul/ReadVariableOp`)),
  });
  const layers = Array.from({ length: LAYERS }, (_, i) => {
    const of = (part: string): string => `encoder/layer_._${i}/${part}`;
    return {
      query: linear(of('attention/self/query')),
      key: linear(of('attention/self/key')),
      value: linear(of('attention/self/value')),
      joined: linear(of('attention/output/dense')),
      wide: linear(of('intermediate/dense')),
      narrow: linear(of('output/dense')),
      afterAttention: norm(of('attention/output/LayerNorm')),
      afterWide: norm(of('output/LayerNorm')),
    };
  });

  const table = tableOf(tensors, 30_522);
  /** A copy, so that the file's bytes can go. */
  const words = { ...table, bytes: table.bytes.slice() };
  const positions = toFloats(tableOf(tensors, 512));
  const kind = toFloats(tableOf(tensors, 2));
  const afterTables = norm('embeddings/LayerNorm');

  const rows = MOST_TOKENS + 4;
  const scores = take((MOST_TOKENS + 8) * 4);
  const rounded = take(rows * WIDE * 2);
  const rowScales = take(rows * 4);
  const rowSums = take(rows * 4);
  const [state, query, key, value, mixed, added] = [0, 1, 2, 3, 4, 5].map(() => take(rows * ROW_BYTES)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const wide = take(rows * WIDE * 4);

  const round = (from: number, count: number, width: number): void => {
    for (let i = 0; i < count; i += 1) {
      const row = (from >> 2) + i * width;
      let largest = 1e-9;
      for (let j = 0; j < width; j += 1) largest = Math.max(largest, Math.abs(floats[row + j] as number));
      const target = (rounded >> 1) + i * width;
      const steps = STEPS / largest;
      let sum = 0;
      for (let j = 0; j < width; j += 1) {
        const step = Math.round((floats[row + j] as number) * steps);
        shorts[target + j] = step;
        sum += step;
      }
      floats[(rowScales >> 2) + i] = largest / STEPS;
      floats[(rowSums >> 2) + i] = sum;
    }
  };
  const apply = (by: Linear, out: number, count: number): void =>
    run.matmul(
      rounded,
      by.at,
      out,
      count + (count & 1),
      by.depth,
      by.columns,
      rowScales,
      rowSums,
      by.scale,
      by.min,
      by.bias,
    );
  const normalise = (at: number, count: number, { gain, shift }: Norm): void => {
    for (let i = 0; i < count; i += 1) {
      const row = floats.subarray((at >> 2) + i * DIMENSIONS, (at >> 2) + (i + 1) * DIMENSIONS);
      let mean = 0;
      for (let j = 0; j < DIMENSIONS; j += 1) mean += row[j] as number;
      mean /= DIMENSIONS;
      let spread = 0;
      for (let j = 0; j < DIMENSIONS; j += 1) spread += ((row[j] as number) - mean) ** 2;
      const scale = 1 / Math.sqrt(spread / DIMENSIONS + 1e-12);
      for (let j = 0; j < DIMENSIONS; j += 1)
        row[j] = ((row[j] as number) - mean) * scale * (gain[j] as number) + (shift[j] as number);
    }
  };
  const addTo = (at: number, from: number, count: number): void => {
    for (let i = 0; i < count * DIMENSIONS; i += 1)
      floats[(at >> 2) + i] = (floats[(at >> 2) + i] as number) + (floats[(from >> 2) + i] as number);
  };
  const lookUp = (tokens: readonly number[]): void => {
    for (const [i, token] of tokens.entries()) {
      for (let j = 0; j < DIMENSIONS; j += 1) {
        const word = (words.bytes[token * DIMENSIONS + j] as number) * words.scale + words.min;
        floats[(state >> 2) + i * DIMENSIONS + j] =
          word + (positions[i * DIMENSIONS + j] as number) + (kind[j] as number);
      }
    }
  };

  return {
    embed(given) {
      const tokens = given.slice(0, MOST_TOKENS);
      const count = tokens.length;
      lookUp(tokens);
      normalise(state, count, afterTables);
      for (const layer of layers) {
        round(state, count, DIMENSIONS);
        apply(layer.query, query, count);
        apply(layer.key, key, count);
        apply(layer.value, value, count);
        for (let head = 0; head < HEADS; head += 1) {
          const by = head * HEAD_BYTES;
          const scale = 1 / Math.sqrt(DIMENSIONS / HEADS);
          run.attention(query + by, key + by, value + by, mixed + by, count, ROW_BYTES, scores, scale);
        }
        round(mixed, count, DIMENSIONS);
        apply(layer.joined, added, count);
        addTo(state, added, count);
        normalise(state, count, layer.afterAttention);
        round(state, count, DIMENSIONS);
        apply(layer.wide, wide, count);
        run.gelu(wide, count * WIDE);
        round(wide, count, WIDE);
        apply(layer.narrow, added, count);
        addTo(state, added, count);
        normalise(state, count, layer.afterWide);
      }
      return meanOf(floats.subarray(state >> 2, (state >> 2) + count * DIMENSIONS), count);
    },
  };
}

/** The mean of the rows, as a unit vector. */
function meanOf(rows: Float32Array, count: number): Float32Array {
  const mean = new Float32Array(DIMENSIONS);
  for (let i = 0; i < count; i += 1)
    for (let j = 0; j < DIMENSIONS; j += 1)
      mean[j] = (mean[j] as number) + (rows[i * DIMENSIONS + j] as number);
  let squares = 0;
  for (const x of mean) squares += x * x;
  const scale = 1 / Math.sqrt(squares || 1);
  return mean.map((x) => x * scale);
}
