/**
 * Runs that have read what is private and heard what nobody vouches for. What such a run sends away may be what it was
 * told to by strangers, so that a person has a look first.
 */
import type { RunId } from '../kernel/ids.ts';
import type { ReadScope } from '../kernel/ports/unit-of-work.ts';
import type { GatewayMeans } from './means.ts';

/** What a run got from outside since a time. */
export type HeardInRun = (
  scope: ReadScope,
  run: RunId,
  since: number,
) => Promise<{ readonly untrusted: boolean; readonly sensitive: boolean }>;

export interface MixedRuns {
  has(run: RunId): Promise<boolean>;
}

/** Older than this, what a run heard is hardly what moves it. */
const LOOK_BACK_MS = 24 * 60 * 60 * 1000;
const MAX_KNOWN = 10_000;

export function createMixedRuns(use: Pick<GatewayMeans, 'units' | 'trail' | 'clock' | 'heard'>): MixedRuns {
  /** A run that is mixed stays so. */
  const known = new Set<RunId>();
  return {
    async has(run) {
      if (known.has(run)) return true;
      const mixed = await use.units.read(async (scope) => {
        const { untrusted, sensitive } = await use.heard(scope, run, use.clock.now() - LOOK_BACK_MS);
        return untrusted && (sensitive || (await use.trail.ofRun(scope, run)).length > 0);
      });
      if (mixed && known.size >= MAX_KNOWN) known.clear();
      if (mixed) known.add(run);
      return mixed;
    },
  };
}
