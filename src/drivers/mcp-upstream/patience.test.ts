import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Patience } from './patience.ts';

describe('[PROV-33] patience with a server', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** When it was over, with something done every so often. */
  function overAt(mostMs: number, everyMs: number, act: (patience: Patience) => void): number | undefined {
    let over: number | undefined;
    const begun = performance.now();
    const patience = new Patience(100, mostMs, () => {
      over ??= performance.now() - begun;
    });
    for (let at = everyMs; at <= 5_000 && over === undefined; at += everyMs) {
      vi.advanceTimersByTime(everyMs);
      if (over === undefined) act(patience);
    }
    return over;
  }

  it('ends without a sign of life', () => {
    expect(overAt(1_000, 10, () => undefined)).toBe(100);
    expect(overAt(1_000, 150, (patience) => patience.alive())).toBe(100);
  });

  it('ends in all however many signs there are', () => {
    expect(overAt(1_000, 90, (patience) => patience.alive())).toBe(1_000);
    expect(overAt(100, 90, (patience) => patience.alive())).toBe(100);
  });

  it('is not used up while it is paused, and not won back by that', () => {
    expect(overAt(1_000, 50, (patience) => patience.pause())).toBe(undefined);
    const stopAndGo = (patience: Patience): void => {
      patience.pause();
      patience.alive();
      vi.advanceTimersByTime(1_000);
      patience.resume();
    };
    expect(overAt(200, 50, stopAndGo)).toBe(3_200);
  });
});
