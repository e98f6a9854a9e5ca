/**
 * What a server of the older protocol asks in the middle of a request, and was not told yet. Each question is told
 * something once, and only as long as the request it was asked in is under way.
 */
import type { UpstreamQuestion } from '../../domain/providers/ports/upstream.ts';
import { isShown, type Shown } from '../../domain/providers/surface.ts';
import { isDeeperThan } from './read-answer.ts';
import type { Message } from './wire.ts';

/** A request in which something may be asked. */
export interface AskedIn {
  readonly id: number;
  readonly onQuestion: ((question: UpstreamQuestion) => boolean) | undefined;
  /** Whoever is asked may take its time; how long is for whoever passes the question on to say. */
  pause(): void;
  resume(): void;
}

/** So many in a row are told no; who asks more is not heard any longer. */
const MAX_REFUSED = 100;
const MAX_DEPTH = 32;
const METHOD_NOT_FOUND = { code: -32_601, message: 'Method not found' };
const NOBODY = -32_000;

export class OpenQuestions {
  /** By the server's id, and the request each was asked in. */
  readonly #open = new Map<unknown, AskedIn>();
  readonly #tell: (message: Message) => void;
  readonly #tooMany: () => void;
  #refused = 0;

  constructor(tell: (message: Message) => void, tooMany: () => void) {
    this.#tell = tell;
    this.#tooMany = tooMany;
  }

  hear(message: Message, request: AskedIn | undefined): void {
    const { id, method, params = {} } = message;
    const named = typeof id === 'number' || (typeof id === 'string' && id.length <= 64);
    if (method === 'ping') this.#tell({ jsonrpc: '2.0', id, result: {} });
    // The same one again is heard once.
    else if (!named || this.#open.has(id)) return;
    else if (!request?.onQuestion || !isShown(params) || isDeeperThan(params, MAX_DEPTH))
      this.#refuse(id, METHOD_NOT_FOUND);
    else this.#ask(id, request, String(method), params);
  }

  #ask(id: unknown, request: AskedIn, method: string, params: Shown): void {
    this.#open.set(id, request);
    request.pause();
    request.onQuestion?.({
      method,
      params,
      answer: (result) => {
        if (this.#close(id, request)) this.#tell({ jsonrpc: '2.0', id, result });
      },
      refuse: (why) => {
        const error = why === undefined ? METHOD_NOT_FOUND : { code: NOBODY, message: why };
        if (this.#close(id, request)) this.#refuse(id, error);
      },
    });
  }

  /** The server does not want to know it any more. */
  withdraw(id: unknown): void {
    const request = this.#open.get(id);
    if (request) this.#close(id, request);
  }

  /** The request was answered or given up: nothing more is told about it. */
  over(request: number): void {
    for (const [id, of] of this.#open) if (of.id === request) this.#open.delete(id);
    this.#refused = 0;
  }

  #close(id: unknown, request: AskedIn): boolean {
    if (this.#open.get(id) !== request) return false;
    this.#open.delete(id);
    if (![...this.#open.values()].includes(request)) request.resume();
    return true;
  }

  #refuse(id: unknown, error: Message): void {
    this.#refused += 1;
    if (this.#refused > MAX_REFUSED) this.#tooMany();
    else this.#tell({ jsonrpc: '2.0', id, error });
  }
}
