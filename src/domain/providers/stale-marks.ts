/**
 * Which providers could not be reached, and since when: what is listed of such a one is what was admitted, and nobody
 * could look whether it still is that. A failure by chance marks nothing, and marks that come and go are told in one.
 */
import { notTooOften } from '../../kernel/not-too-often.ts';
import type { Breaker } from './breaker.ts';

const TELL_EVERY_MS = 5_000;

export class StaleMarks {
  readonly #since = new Map<string, number>();
  readonly #tell: ReturnType<typeof notTooOften>;

  /** Told when marks were set or taken away. */
  constructor(changed: () => void) {
    this.#tell = notTooOften(changed, TELL_EVERY_MS);
  }

  since(id: string): number | null {
    return this.#since.get(id) ?? null;
  }

  /** Only when nobody tries any more for a while; one that is marked keeps the time it was marked with. */
  failed(id: string, { isOpen, since }: Pick<Breaker, 'isOpen' | 'since'>): void {
    if (!isOpen || since === null || this.#since.has(id)) return;
    this.#since.set(id, since);
    this.#tell();
  }

  reached(id: string): void {
    if (this.#since.delete(id)) this.#tell();
  }

  close(): void {
    this.#tell.stop();
  }
}
