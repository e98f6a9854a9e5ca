/**
 * Which run a call belongs to: the client's session, the run it names, or one that lasts until the client has
 * been idle for a while. Runs live under their principal, so nobody can step into another's.
 */
import type { Clock } from '../kernel/clock.ts';
import type { PrincipalId, RunId } from '../kernel/ids.ts';
import { checkClaim } from './claims.ts';
import type { CallClaims } from './request.ts';

export interface Runs {
  /** At once, unless the log must be asked. */
  resolve(principal: PrincipalId, claims: CallClaims): RunId | Promise<RunId>;
}

/** The last idle run of a principal that the audit log knows, so that a restart does not end it. */
export type RecallRun = (principal: PrincipalId, since: number) => Promise<RunId | undefined>;

const IDLE = '/idle:';
/** Principals whose idle run is kept in memory; the log knows the others. */
const MAX_KEPT = 10_000;

export const isIdleRun = (run: string): boolean => run.includes(IDLE);

export function createRuns(clock: Clock, idleMs: number, recall: RecallRun): Runs {
  const idle = new Map<PrincipalId, { readonly run: RunId; seen: number }>();
  const recalling = new Map<PrincipalId, Promise<RunId>>();

  const keep = (principal: PrincipalId, run: RunId, seen: number): RunId => {
    if (idle.size >= MAX_KEPT) idle.clear();
    idle.set(principal, { run, seen });
    return run;
  };

  /** Calls that begin together wait for the same answer, or each would get a run of its own. */
  const recallOnce = (principal: PrincipalId, now: number): Promise<RunId> => {
    const asked =
      recalling.get(principal) ??
      recall(principal, now - idleMs)
        .then((known) => keep(principal, known ?? idleRunOf(principal, now), now))
        .finally(() => recalling.delete(principal));
    recalling.set(principal, asked);
    return asked;
  };

  const idleRun = (principal: PrincipalId): RunId | Promise<RunId> => {
    const now = clock.now();
    const kept = idle.get(principal);
    if (!kept) return recallOnce(principal, now);
    if (now - kept.seen >= idleMs) return keep(principal, idleRunOf(principal, now), now);
    kept.seen = now;
    return kept.run;
  };

  return {
    resolve(principal, claims) {
      if (claims.run !== undefined) return `${principal}/${checkClaim('run', claims.run)}` as RunId;
      if (claims.session !== undefined) return `${principal}/session:${claims.session}` as RunId;
      return idleRun(principal);
    },
  };
}

const idleRunOf = (principal: PrincipalId, since: number): RunId => `${principal}${IDLE}${since}` as RunId;
