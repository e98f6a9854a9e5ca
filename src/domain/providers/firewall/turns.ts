/** Work of one key happens one after the other, whether what came before went well or not. */
export class Turns<Value> {
  readonly #last = new Map<string, Promise<Value>>();

  take(key: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(key);
    const turn = before ? before.then(work, work) : work();
    const done = (): void => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    };
    this.#last.set(key, turn);
    turn.then(done, done);
    return turn;
  }
}
