/** A token bucket for each principal. Buckets that are full again are forgotten, so their number stays bounded. */
import type { Clock } from '../kernel/clock.ts';

export interface RateLimiter {
  /** Takes one token; otherwise says in how many milliseconds there will be one. */
  take(principal: string): number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

const SWEEP_AT = 10_000;

export function createRateLimiter(
  clock: Clock,
  limits: { readonly callsPerSecond: number; readonly callBurst: number },
): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const perMs = limits.callsPerSecond / 1000;
  const level = (bucket: Bucket, now: number): number =>
    Math.min(limits.callBurst, bucket.tokens + Math.max(0, now - bucket.filledAt) * perMs);

  const sweep = (now: number): void => {
    for (const [principal, bucket] of buckets) {
      if (level(bucket, now) >= limits.callBurst) buckets.delete(principal);
    }
  };

  return {
    take(principal) {
      const now = clock.now();
      if (buckets.size >= SWEEP_AT) sweep(now);
      const bucket = buckets.get(principal) ?? { tokens: limits.callBurst, filledAt: now };
      buckets.set(principal, bucket);
      bucket.tokens = level(bucket, now);
      bucket.filledAt = now;
      if (bucket.tokens < 1) return (1 - bucket.tokens) / perMs;
      bucket.tokens -= 1;
      return 0;
    },
  };
}
