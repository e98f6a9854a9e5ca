/** So many calls of one provider at once, so many that wait, and the rest is told when to come again. */
import type { ProviderLimits } from './profile.ts';
import { refusal } from './refusals.ts';

export class CallQueue {
  readonly #provider: string;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #away = 0;

  constructor(provider: string) {
    this.#provider = provider;
  }

  /** Something is under way, even if it only waits for somebody outside. */
  get busy(): boolean {
    return this.#running + this.#away > 0;
  }

  /** Calls that gave their turn up and are not over. */
  get away(): number {
    return this.#away;
  }

  async run<T>(
    { concurrent, queued }: ProviderLimits,
    signal: AbortSignal,
    /** It may give its turn up before it is over: nobody has to wait for what waits itself. */
    work: (leave: () => void) => Promise<T>,
  ): Promise<T> {
    if (this.#running >= concurrent) await this.#wait(queued, signal);
    else this.#running += 1;
    let inTurn = true;
    const leave = (): void => {
      if (!inTurn) return;
      inTurn = false;
      this.#away += 1;
      this.#handOn();
    };
    try {
      return await work(leave);
    } finally {
      if (inTurn) this.#handOn();
      else this.#away -= 1;
    }
  }

  /** The turn is handed on, so that nobody comes in between. */
  #handOn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }

  #wait(queued: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= queued)
      throw refusal(
        'DELEG_PROVIDER_BUSY',
        this.#provider,
        `"${this.#provider}" has too many calls waiting; try again in a second`,
        {
          retry_after_ms: 1_000,
        },
      );
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(signal.reason);
      };
      this.#waiting.push(turn);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
