/** How the last text ended that somebody said, for a while and never longer than a process lives. */
const KEPT = 1_000;
const LENGTH = 300;

export class RecentEnds {
  readonly #ends = new Map<string, string>();

  of(key: string): string {
    return this.#ends.get(key) ?? '';
  }

  /** The oldest is forgotten first. */
  note(key: string, text: string): void {
    this.#ends.delete(key);
    this.#ends.set(key, copyOf(text.slice(-LENGTH)));
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > KEPT && oldest !== undefined) this.#ends.delete(oldest);
  }
}

/** Cut off a long text, the end would keep all of it in memory. */
const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
