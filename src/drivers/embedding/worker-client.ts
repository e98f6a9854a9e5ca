/** Our end of the worker: started with the first request, ended after a long pause, started again when it died. */
import { Worker } from 'node:worker_threads';
import { SluiceError } from '../../kernel/errors.ts';
import type { WorkerAnswer, WorkerRequest, WorkerValue } from './worker-messages.ts';

export interface WorkerClient {
  /** How often a worker was started; what an earlier one held is gone. */
  readonly generation: number;
  ask(request: WorkerRequest): Promise<WorkerValue>;
  close(): Promise<void>;
}

interface Pending {
  readonly resolve: (value: WorkerValue) => void;
  readonly reject: (error: unknown) => void;
}

/** Model and vectors are a hundred megabytes that nobody needs who is not searching. */
const IDLE_MS = 5 * 60_000;

export function createWorkerClient(root: string, idleMs = IDLE_MS): WorkerClient {
  const pending = new Map<number, Pending>();
  let worker: Worker | undefined;
  let generation = 0;
  let last = 0;
  let closed = false;
  let idle: NodeJS.Timeout | undefined;

  const lose = (from: Worker, why: unknown): void => {
    if (worker !== from) return;
    worker = undefined;
    generation += 1;
    for (const { reject } of pending.values())
      reject(new SluiceError('unavailable', 'The embedder stopped; search by meaning is off', {}, why));
    pending.clear();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { root } });
    started.on('message', (answer: WorkerAnswer) => {
      const waiting = pending.get(answer.id);
      pending.delete(answer.id);
      if (pending.size === 0) rest(started);
      if ('error' in answer) waiting?.reject(new SluiceError('unavailable', answer.error));
      else waiting?.resolve(answer.value);
    });
    started.on('error', (error) => lose(started, error));
    started.on('exit', () => lose(started, undefined));
    return started;
  };
  /** Idle, it keeps no process alive. */
  const rest = (resting: Worker): void => {
    resting.unref();
    clearTimeout(idle);
    idle = setTimeout(() => void end(), idleMs).unref();
  };
  const end = async (): Promise<void> => {
    const ending = worker;
    if (!ending) return;
    lose(ending, undefined);
    await ending.terminate();
  };

  return {
    get generation() {
      return generation;
    },
    ask(request) {
      if (closed) return Promise.reject(new SluiceError('unavailable', 'The embedder is closed'));
      clearTimeout(idle);
      worker ??= start();
      worker.ref();
      last += 1;
      const id = last;
      const asked = worker;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        asked.postMessage({ id, request });
      });
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      await end();
    },
  };
}
