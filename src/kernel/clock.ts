/** Time as a parameter: nothing else in Sluice asks the machine what time it is. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
