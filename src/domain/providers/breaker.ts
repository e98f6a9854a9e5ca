/** After a few failures in a row nobody tries for a while, longer each time, and everybody is told for how long. */
import { refusal } from './refusals.ts';

const BREAK_AFTER = 3;
const FIRST_BREAK_MS = 2_000;
const LONGEST_BREAK_MS = 60_000;

export class Breaker {
  readonly #provider: string;
  #failures = 0;
  #since: number | null = null;
  #brokenUntil = 0;

  constructor(provider: string) {
    this.#provider = provider;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Whether it has failed so often that nobody tries for a while; the next one who may decides. */
  get isOpen(): boolean {
    return this.#failures >= BREAK_AFTER;
  }

  /** Since when it fails. */
  get since(): number | null {
    return this.#since;
  }

  require(now: number): void {
    if (now >= this.#brokenUntil) return;
    throw refusal(
      'DELEG_PROVIDER_NOT_FOUND',
      this.#provider,
      `"${this.#provider}" could not be reached just now`,
      { retry_after_ms: this.#brokenUntil - now },
    );
  }

  worked(): void {
    this.#failures = 0;
    this.#since = null;
    this.#brokenUntil = 0;
  }

  failed(now: number): void {
    this.#failures += 1;
    this.#since ??= now;
    if (this.#failures < BREAK_AFTER) return;
    this.#brokenUntil =
      now + Math.min(LONGEST_BREAK_MS, FIRST_BREAK_MS * 2 ** (this.#failures - BREAK_AFTER));
  }
}
