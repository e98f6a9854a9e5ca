import { describe, expect, it } from 'vitest';
import type { MemoryItem } from './memory-item.ts';
import { fuseRanks, modifierOf, recencyOf, useFactor } from './rank-items.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const item = (given: Partial<MemoryItem>): MemoryItem =>
  ({ tier: 'semantic', observedAt: 0, useCount: 0, failed: 0, confidence: 1, ...given }) as MemoryItem;

describe('[MEM-14] the order within a tier', () => {
  it('forgets by the age that fits the tier', () => {
    expect(recencyOf('episodic', 3 * DAY_MS)).toBeCloseTo(0.5 + 0.5 / Math.E);
    expect(recencyOf('semantic', 180 * DAY_MS)).toBeCloseTo(0.5 + 0.5 / Math.E);
    expect(recencyOf('procedural', 3_650 * DAY_MS)).toBe(1);
    expect(recencyOf('episodic', -DAY_MS)).toBe(1);
  });

  it('prefers what was used, from 0.8 to 1.2', () => {
    const used = (useCount: number, failed = 0): number => useFactor({ useCount, failed });
    expect(used(0)).toBeCloseTo(0.8);
    expect(used(5)).toBeGreaterThan(used(1));
    expect(used(5, 1)).toBeLessThan(used(4));
    expect(used(3, 3)).toBeCloseTo(0.8);
    expect(used(1e9)).toBeCloseTo(1.2);
  });

  it('never changes a score by less than 0.3 or more than 1.5', () => {
    const worst = item({ tier: 'episodic', confidence: 0 });
    expect(modifierOf(worst, 3_650 * DAY_MS)).toBe(0.3);
    expect(modifierOf(item({ useCount: 1e9 }), 0)).toBeCloseTo(1.2);
  });

  it('adds up what words and meaning say, the first place most and words a little more', () => {
    expect(fuseRanks(0, undefined)).toBeCloseTo(1 / 61);
    expect(fuseRanks(0, 3)).toBeCloseTo(1 / 61 + 0.9 / 64);
    expect(fuseRanks(undefined, 0)).toBeLessThan(fuseRanks(0, undefined));
  });
});
