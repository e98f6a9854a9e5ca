/** Words that occur once: each paragraph that somebody writes has one, so that it can be looked for in the end. */
export class Tokens {
  /** Written by somebody who was told that it is. */
  readonly written = new Set<string>();
  /** Seen by somebody who then wrote the text without it, or removed it whole. */
  readonly removed = new Set<string>();
  readonly #name: string;
  #last = 0;

  constructor(name: string) {
    this.#name = name;
  }

  next(): string {
    this.#last += 1;
    return `tok${this.#name}${this.#last}x`;
  }

  /** Somebody made one text of another. */
  replaced(before: string, after: string): void {
    const left = new Set(tokensIn(after));
    for (const token of tokensIn(before)) if (!left.has(token)) this.removed.add(token);
    for (const token of left) this.written.add(token);
  }

  /** Those that should be somewhere and are not. */
  missing(places: Iterable<string>): string[] {
    const found = new Set([...places].flatMap(tokensIn));
    return [...this.written].filter((token) => !found.has(token) && !this.removed.has(token));
  }
}

export const tokensIn = (text: string): string[] => text.match(/tok[a-z]+\d+x/g) ?? [];
