/** The thread that embeds and scans, so that neither holds up a call. The model is loaded with the first text, if any is given. */
import { workerData } from 'node:worker_threads';
import { serveRequests } from '../workers/serve-requests.ts';
import { createMiniLm, MOST_TOKENS } from './mini-lm.ts';
import { readModelFile } from './model-files.ts';
import { readTensors } from './tensors.ts';
import { createVectorShelf, type VectorShelf } from './vector-shelf.ts';
import { createWordPiece } from './word-piece.ts';
import type { WorkerRequest, WorkerValue } from './worker-messages.ts';

const { root } = workerData as { root?: string };
const shelves = new Map<string, VectorShelf>();
let embedText: ((text: string) => Float32Array) | undefined;

function loadModel(): (text: string) => Float32Array {
  if (root === undefined) throw new Error('This worker has no model');
  const tensors = readTensors(readModelFile(root, 'manifest'), readModelFile(root, 'weights'));
  const model = createMiniLm(tensors);
  const words = createWordPiece(readModelFile(root, 'tokenizer'));
  return (text) => model.embed(words.encode(text, MOST_TOKENS));
}

function shelf(name: string, dimensions: number): VectorShelf {
  const known = shelves.get(name) ?? createVectorShelf(dimensions);
  shelves.set(name, known);
  return known;
}

function answer(request: WorkerRequest): WorkerValue {
  switch (request.kind) {
    case 'embed':
      embedText ??= loadModel();
      return embedText(request.text);
    case 'put':
      shelf(request.shelf, request.dimensions).put(request.pages);
      return undefined;
    case 'drop':
      shelves.delete(request.shelf);
      return undefined;
    case 'nearest':
      return shelf(request.shelf, request.query.length).nearest(
        request.query,
        request.limit,
        request.among && new Set(request.among),
      );
  }
}

serveRequests(answer);
