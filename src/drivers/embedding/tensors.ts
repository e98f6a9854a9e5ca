/** The weights as they lie in the file: bytes with one scale and one minimum for each tensor. */
import { z } from 'zod';
import { SluiceError } from '../../kernel/errors.ts';

export interface Tensor {
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
  /** A weight is byte × scale + min. */
  readonly scale: number;
  readonly min: number;
}

const manifestShape = z.object({
  weightsManifest: z.array(
    z.object({
      weights: z.array(
        z.object({
          name: z.string(),
          shape: z.array(z.int()),
          dtype: z.string(),
          quantization: z.object({ scale: z.number(), min: z.number() }).optional(),
        }),
      ),
    }),
  ),
});

const PREFIX = 'StatefulPartitionedCall/model/tf_bert_model/bert/';
const BYTES_OF_PLAIN = 4;

/** By name; the few tensors that are not quantised belong to the graph around the model and are left out. */
export function readTensors(manifest: Buffer, weights: Uint8Array): ReadonlyMap<string, Tensor> {
  const { weightsManifest } = manifestShape.parse(JSON.parse(manifest.toString('utf8')));
  const tensors = new Map<string, Tensor>();
  let at = 0;
  for (const { name, shape, quantization } of weightsManifest.flatMap((group) => group.weights)) {
    const size = shape.reduce((product, side) => product * side, 1);
    const end = at + size * (quantization ? 1 : BYTES_OF_PLAIN);
    if (quantization)
      tensors.set(name.replace(PREFIX, ''), { shape, bytes: weights.subarray(at, end), ...quantization });
    at = end;
  }
  return tensors;
}

export function tensorNamed(tensors: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const tensor = tensors.get(name);
  if (!tensor) throw new SluiceError('internal', `The model has no tensor "${name}"`);
  return tensor;
}

/** The tables of words, positions and types have no telling names, but each its own number of rows. */
export function tableOf(tensors: ReadonlyMap<string, Tensor>, rows: number): Tensor {
  for (const [name, tensor] of tensors)
    if (/(?:^|\/)unknown(?:_\d)?$/.test(name) && tensor.shape[0] === rows) return tensor;
  throw new SluiceError('internal', `The model has no table of ${rows} rows`);
}

export function toFloats({ bytes, scale, min }: Tensor): Float32Array {
  const floats = new Float32Array(bytes.length);
  for (const [i, byte] of bytes.entries()) floats[i] = byte * scale + min;
  return floats;
}
