/**
 * Which run a call belongs to: the client's session, the run it names, or one that lasts until the client has
 * been idle for a while. Runs live under their principal, so nobody can step into another's.
 */
import type { Clock } from '../kernel/clock.ts';
import type { PrincipalId, RunId } from '../kernel/ids.ts';
import { checkClaim } from './claims.ts';
import type { CallClaims } from './request.ts';

export interface Runs {
  resolve(principal: PrincipalId, claims: CallClaims): Promise<RunId>;
}

/** The last idle run of a principal that the audit log knows, so that a restart does not end it. */
export type RecallRun = (principal: PrincipalId, since: number) => Promise<RunId | undefined>;

const IDLE = '/idle:';
/** Principals whose idle run is kept in memory; the log knows the others. */
const MAX_KEPT = 10_000;

export const isIdleRun = (run: string): boolean => run.includes(IDLE);

export function createRuns(clock: Clock, idleMs: number, recall: RecallRun): Runs {
  const idle = new Map<PrincipalId, { readonly run: RunId; seen: number }>();

  const idleRun = async (principal: PrincipalId): Promise<RunId> => {
    const now = clock.now();
    const kept = idle.get(principal);
    if (kept && now - kept.seen < idleMs) {
      kept.seen = now;
      return kept.run;
    }
    const known = kept ? undefined : await recall(principal, now - idleMs);
    const run = known ?? (`${principal}${IDLE}${now}` as RunId);
    if (idle.size >= MAX_KEPT) idle.clear();
    idle.set(principal, { run, seen: now });
    return run;
  };

  return {
    async resolve(principal, claims) {
      if (claims.run !== undefined) return `${principal}/${checkClaim('run', claims.run)}` as RunId;
      if (claims.session !== undefined) return `${principal}/session:${claims.session}` as RunId;
      return idleRun(principal);
    },
  };
}
