/** Random choices that can be made again: one generator a purpose, all from the seed of the run. */
import { testSeed } from './seed.ts';

export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
  /** True once in `times` on average. */
  oneIn(times: number): boolean;
  shuffle<T>(items: readonly T[]): T[];
}

/** `purpose` keeps tests apart: what one of them draws does not change what another gets. */
export function randomFor(purpose: string): Random {
  let state = testSeed() >>> 0;
  for (const character of purpose) state = (Math.imul(state ^ character.charCodeAt(0), 0x01000193) + 1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const pick = <T>(items: readonly T[]): T => {
    if (items.length === 0) throw new Error('There is nothing to pick from');
    return items[between(0, items.length - 1)] as T;
  };
  return {
    next,
    between,
    pick,
    oneIn: (times) => between(1, times) === 1,
    shuffle(items) {
      const rest = [...items];
      const mixed = [];
      while (rest.length > 0) mixed.push(...rest.splice(between(0, rest.length - 1), 1));
      return mixed;
    },
  };
}

/** How often: less in a normal run, all of it when soaking. */
export const soaking = process.env.SLUICE_SOAK === '1';
export const times = (normal: number, soak: number): number => (soaking ? soak : normal);
