import type { Config } from '../../src/config/keys.ts';

/** No caller is ever too quick. */
export const UNLIMITED: Partial<Config> = {
  'limits.calls_per_second': 1_000_000,
  'limits.call_burst': 1_000_000,
};
