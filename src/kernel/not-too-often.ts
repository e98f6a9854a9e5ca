/** At once, and then not again for a while: who says it all the time is heard all the same, and costs little. */
export function notTooOften(act: () => void, pauseMs: number): { (): void; stop(): void } {
  let waiting: NodeJS.Timeout | undefined;
  let asked = false;
  const run = (): void => {
    if (waiting) {
      asked = true;
      return;
    }
    asked = false;
    waiting = setTimeout(() => {
      waiting = undefined;
      if (asked) run();
    }, pauseMs).unref();
    act();
  };
  return Object.assign(run, { stop: () => clearTimeout(waiting) });
}
