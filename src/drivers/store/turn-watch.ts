/** Notices when the event loop turns under a unit, save when the unit itself lets it. */
export class TurnWatch {
  #turn: NodeJS.Immediate | undefined;
  #missed = false;

  /** True once the loop turned without having been let. */
  get missed(): boolean {
    return this.#missed;
  }

  begin(): void {
    this.#turn = setImmediate(() => {
      this.#missed = true;
    });
  }

  end(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
  }

  async pause(): Promise<void> {
    const watching = this.#turn !== undefined;
    this.end();
    await new Promise((resolve) => setImmediate(resolve));
    if (watching) this.begin();
  }
}
