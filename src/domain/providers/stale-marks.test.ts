import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Breaker } from './breaker.ts';
import { StaleMarks } from './stale-marks.ts';

describe('[PROV-07] marks of what cannot be reached', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function watched() {
    const told: (number | null)[] = [];
    const breaker = new Breaker('up');
    const marks: StaleMarks = new StaleMarks(() => told.push(marks.since('up')));
    const fail = (at: number): void => {
      breaker.failed(at);
      marks.failed('up', breaker);
    };
    const work = (): void => {
      breaker.worked();
      marks.reached('up');
    };
    return { told, marks, fail, work };
  }

  it('are set by the third failure in a row, with the time of the first, and told once', () => {
    const { told, marks, fail, work } = watched();
    fail(1);
    fail(2);
    work();
    for (const at of [3, 4]) fail(at);
    expect([marks.since('up'), told]).toEqual([null, []]);
    for (const at of [5, 6, 7]) fail(at);
    expect([marks.since('up'), told]).toEqual([3, [3]]);
    expect(marks.since('other')).toBeNull();
  });

  it('are told at most every five seconds however often they come and go, and at last as they are', () => {
    const { told, marks, fail, work } = watched();
    for (let round = 1; round <= 100; round += 1) {
      for (const at of [round, round, round]) fail(at);
      expect(marks.since('up')).toBe(round);
      work();
      expect(marks.since('up')).toBeNull();
    }
    expect(told).toEqual([1]);
    vi.advanceTimersByTime(5_000);
    expect(told).toEqual([1, null]);
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual([1, null]);
    for (const at of [7, 7, 7]) fail(at);
    expect(told).toEqual([1, null, 7]);
    marks.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
