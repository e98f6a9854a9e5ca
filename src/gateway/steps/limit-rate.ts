/** Step 11: how much and how much at once. From here the call is in flight and can be given up or revoked. */
import { decide } from '../../domain/governance/decision.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { Gate } from '../means.ts';
import { type Admitted, learn, type Passed } from '../stages.ts';
import { reachOf } from './resolve-caller.ts';

export function limitRate(use: Gate, allowed: Passed<'access_rule'>): Admitted {
  const { caller, draft, request, entry, grant } = allowed;
  const waitMs = use.rate.take(caller.principal.id);
  if (waitMs > 0) {
    draft.refusedBy('rate');
    throw tooMuch('Too many calls', waitMs);
  }
  const mayGoOn = (): boolean => {
    const { policy } = use.governance.current();
    return decide(policy, { ...caller, ...reachOf(policy, grant) }, entry).allowed;
  };
  const slot = use.inFlight.enter(caller, entry.limits.timeoutMs, request.onCancel, mayGoOn);
  if (!slot) {
    draft.refusedBy('concurrency');
    throw tooMuch('Too many calls at once', 1_000);
  }
  draft.allowed();
  return learn(allowed, 'slot', slot);
}

const tooMuch = (what: string, waitMs: number): SluiceError =>
  new SluiceError('rate_limited', `${what}; try again in ${Math.ceil(waitMs / 1000)} s`, {
    retry_after_ms: Math.ceil(waitMs),
  });
