import { describe, expect, it } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

function limiter(callsPerSecond: number, callBurst: number) {
  let at = 1_000_000;
  const clock = { now: () => at };
  const limits = createRateLimiter(clock, { callsPerSecond, callBurst });
  return {
    take: (principal = 'a') => limits.take(principal),
    pass: (ms: number) => {
      at += ms;
    },
  };
}

describe('[PIPE-06] the rate limit', () => {
  it('lets a burst through, then says how long to wait for the next call', () => {
    const { take } = limiter(2, 3);
    expect([take(), take(), take()]).toEqual([0, 0, 0]);
    expect(take()).toBe(500);
  });

  it('fills at its rate and never above the burst', () => {
    const { take, pass } = limiter(2, 3);
    for (let i = 0; i < 3; i += 1) take();
    pass(499);
    expect(take()).toBeCloseTo(1, 6);
    pass(1);
    expect(take()).toBe(0);
    expect(take()).toBe(500);
    pass(3_600_000);
    expect([take(), take(), take()]).toEqual([0, 0, 0]);
    expect(take()).toBeGreaterThan(0);
  });

  it('is not used up by being refused', () => {
    const { take, pass } = limiter(1, 1);
    take();
    for (let i = 0; i < 10; i += 1) expect(take()).toBe(1_000);
    pass(1_000);
    expect(take()).toBe(0);
  });

  it('is each principal’s own', () => {
    const { take } = limiter(1, 1);
    expect(take('a')).toBe(0);
    expect(take('b')).toBe(0);
    expect(take('a')).toBeGreaterThan(0);
  });

  it('gives nothing for a clock that goes back', () => {
    const { take, pass } = limiter(1, 2);
    take();
    take();
    pass(-3_600_000);
    expect(take()).toBe(1_000);
    pass(1_000);
    expect(take()).toBe(0);
  });

  it('forgets principals whose bucket is full again, and no others', () => {
    const { take, pass } = limiter(1, 2);
    for (let i = 0; i < 10_000; i += 1) take(`early ${i}`);
    pass(1_000);
    take('busy');
    take('busy');
    expect(take('one more')).toBe(0);
    expect(take('busy')).toBeGreaterThan(0);
  });
});
