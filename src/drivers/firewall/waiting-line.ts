/**
 * One piece of work at a time, the owners of waiting work in turn, so that one that brings much delays itself. What
 * waits is bounded: it lies in memory, and what nobody waits for any more leaves at once.
 */
import { SluiceError } from '../../kernel/errors.ts';

const MOST_OF_ONE = 4;
const MOST = 16;

interface Waiting {
  begin(): void;
}

export class WaitingLine {
  readonly #waiting = new Map<string, readonly Waiting[]>();
  #count = 0;
  #busy = false;

  async take<Value>(
    owner: string,
    work: () => Promise<Value>,
    signal?: AbortSignal | undefined,
  ): Promise<Value> {
    signal?.throwIfAborted();
    if (this.#busy) await this.#turnOf(owner, signal);
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turnOf(owner: string, signal: AbortSignal | undefined): Promise<void> {
    const own = this.#waiting.get(owner) ?? [];
    if (own.length >= MOST_OF_ONE || this.#count >= MOST)
      throw new SluiceError('unavailable', 'Too many long answers wait to be looked at; try again later');
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#remove(owner, waiting);
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        begin() {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      this.#waiting.set(owner, [...own, waiting]);
      this.#count += 1;
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** The owner that was served goes to the end. */
  #next(): void {
    const [first] = this.#waiting;
    this.#busy = first !== undefined;
    if (!first) return;
    const [owner, [waiting]] = first;
    if (!waiting) return;
    const own = this.#remove(owner, waiting);
    if (own.length > 0) {
      this.#waiting.delete(owner);
      this.#waiting.set(owner, own);
    }
    waiting.begin();
  }

  #remove(owner: string, waiting: Waiting): readonly Waiting[] {
    const own = (this.#waiting.get(owner) ?? []).filter((one) => one !== waiting);
    this.#count -= 1;
    if (own.length === 0) this.#waiting.delete(owner);
    else this.#waiting.set(owner, own);
    return own;
  }
}
