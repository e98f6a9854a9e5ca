/** Our end of a worker: started with the first request, ended after a long pause, started again when it died. */
import { Worker } from 'node:worker_threads';
import { SluiceError } from '../../kernel/errors.ts';

export interface WorkerClient<Request, Value> {
  /** How often a worker was started; what an earlier one held is gone. */
  readonly generation: number;
  ask(request: Request): Promise<Value>;
  close(): Promise<void>;
}

export type WorkerAnswer<Value> =
  | { readonly id: number; readonly value: Value }
  | { readonly id: number; readonly error: string };

export interface WorkerWish {
  readonly file: URL;
  readonly data?: unknown;
  readonly idleMs: number;
  /** With more it is ended, and nobody but it. */
  readonly memoryMb?: number;
  /** Whoever asked is told when it died or is closed. */
  readonly gone: string;
}

interface Pending<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

export function createWorkerClient<Request, Value>(wish: WorkerWish): WorkerClient<Request, Value> {
  const pending = new Map<number, Pending<Value>>();
  let worker: Worker | undefined;
  let generation = 0;
  let last = 0;
  let closed = false;
  let idle: NodeJS.Timeout | undefined;

  const lose = (from: Worker, why: unknown): void => {
    if (worker !== from) return;
    worker = undefined;
    generation += 1;
    for (const { reject } of pending.values()) reject(new SluiceError('unavailable', wish.gone, {}, why));
    pending.clear();
  };
  const start = (): Worker => {
    const started = new Worker(wish.file, {
      workerData: wish.data,
      ...(wish.memoryMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: wish.memoryMb } }),
    });
    started.on('message', (answer: WorkerAnswer<Value>) => {
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
    idle = setTimeout(() => void end(), wish.idleMs).unref();
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
      if (closed) return Promise.reject(new SluiceError('unavailable', wish.gone));
      clearTimeout(idle);
      worker ??= start();
      worker.ref();
      last += 1;
      const id = last;
      const asked = worker;
      return new Promise((resolve, reject) => {
        asked.postMessage({ id, request });
        pending.set(id, { resolve, reject });
      });
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      await end();
    },
  };
}
