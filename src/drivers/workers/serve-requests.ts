/** The worker's own end: one request after the other; what cannot be answered is told, and the next one is taken. */
import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer } from './worker-client.ts';

export function serveRequests<Request, Value>(answer: (request: Request) => Value): void {
  parentPort?.on('message', ({ id, request }: { id: number; request: Request }) => {
    const respond = (message: WorkerAnswer<Value>): void => parentPort?.postMessage(message);
    try {
      respond({ id, value: answer(request) });
    } catch (error) {
      respond({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
}
