/**
 * How long an answer is waited for: so long without a sign of life, and so long in all. While somebody else is asked
 * nothing of it is used up.
 */
export class Patience {
  readonly #idleMs: number;
  readonly #late: () => void;
  #leftMs: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(idleMs: number, mostMs: number, late: () => void) {
    this.#idleMs = idleMs;
    this.#leftMs = Math.max(idleMs, mostMs);
    this.#late = late;
    this.resume();
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#since;
  }

  resume(): void {
    if (this.#timer !== undefined) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#late, Math.max(0, Math.min(this.#idleMs, this.#leftMs)));
  }

  /** Not while it is paused: that has an end of its own. */
  alive(): void {
    if (this.#timer === undefined) return;
    this.pause();
    this.resume();
  }
}
