/** The worker that compares vectors, whoever makes them. */
import type { Embedder } from '../../domain/workspace/ports/embedder.ts';
import type { VectorScan } from '../../domain/workspace/ports/vector-scan.ts';
import { createWorkerClient, type WorkerClient } from '../workers/worker-client.ts';
import type { WorkerRequest, WorkerValue } from './worker-messages.ts';

export interface ScanningEmbedder extends Embedder {
  readonly scan: VectorScan;
  close(): Promise<void>;
}

/** Model and vectors are a hundred megabytes that nobody needs who is not searching. */
const IDLE_MS = 5 * 60_000;

/** Without the folder of a model it compares and does not embed. */
export const createScanWorker = (root?: string, idleMs = IDLE_MS): WorkerClient<WorkerRequest, WorkerValue> =>
  createWorkerClient({
    file: new URL('./worker.ts', import.meta.url),
    data: { root },
    idleMs,
    gone: 'The embedder stopped; search by meaning is off',
  });

export const scanIn = (
  worker: WorkerClient<WorkerRequest, WorkerValue>,
  dimensions: () => number,
): VectorScan => ({
  get generation() {
    return worker.generation;
  },
  put: async (shelf, pages) =>
    void (await worker.ask({ kind: 'put', shelf, pages, dimensions: dimensions() })),
  drop: async (shelf) => void (await worker.ask({ kind: 'drop', shelf })),
  nearest: async (shelf, query, limit, among) =>
    (await worker.ask({ kind: 'nearest', shelf, query, limit, among })) as Awaited<
      ReturnType<VectorScan['nearest']>
    >,
});
