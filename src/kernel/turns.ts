/** Work of one key happens one after the other, whether what came before went well or not. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  take<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(key);
    const turn = before ? before.then(work, work) : work();
    const done = (): void => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    };
    this.#last.set(key, turn);
    turn.then(done, done);
    return turn;
  }

  /** When all that was taken so far has ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#last.values());
  }
}
