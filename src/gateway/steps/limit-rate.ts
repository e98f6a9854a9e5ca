/** Step 11: how much and how much at once. From here the call is in flight and can be given up or revoked. */
import { SluiceError } from '../../kernel/errors.ts';
import type { Gate } from '../means.ts';
import type { Admitted, Passed } from '../stages.ts';

export function limitRate(use: Gate, allowed: Passed<'access_rule'>): Admitted & Disposable {
  const { caller, draft, request } = allowed;
  const waitMs = use.rate.take(caller.principal.id);
  if (waitMs > 0) {
    draft.refusedBy('rate');
    throw tooMuch('Too many calls', waitMs);
  }
  const slot = use.inFlight.enter(draft.callId, caller, allowed.entry.limits.timeoutMs, request.signal);
  if (!slot) {
    draft.refusedBy('concurrency');
    throw tooMuch('Too many calls at once', 1_000);
  }
  draft.allowed();
  return { ...allowed, slot, [Symbol.dispose]: () => slot.leave() };
}

const tooMuch = (what: string, waitMs: number): SluiceError =>
  new SluiceError('rate_limited', `${what}; try again in ${Math.ceil(waitMs / 1000)} s`, {
    retry_after_ms: Math.ceil(waitMs),
  });
