/** What the worker is asked and what it answers. */
import type { NearestPage, StoredVectors } from '../../domain/workspace/ports/vector-scan.ts';

export type WorkerRequest =
  | { readonly kind: 'embed'; readonly text: string }
  | {
      readonly kind: 'put';
      readonly shelf: string;
      readonly pages: readonly StoredVectors[];
      readonly dimensions: number;
    }
  | { readonly kind: 'drop'; readonly shelf: string }
  | {
      readonly kind: 'nearest';
      readonly shelf: string;
      readonly query: Float32Array;
      readonly limit: number;
      readonly among?: readonly string[] | undefined;
    };

export type WorkerValue = Float32Array | readonly NearestPage[] | undefined;
