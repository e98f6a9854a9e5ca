/** Step 17 for a call that gave itself up to ask: recorded as suspended, its state sealed, and then the question. */
import {
  type Ability,
  type InputNeeded,
  type InputRequests,
  missingAbilities,
} from '../../catalogue/input-request.ts';
import { faultFields } from '../../kernel/log.ts';
import type { AuditDraft } from '../audit-draft.ts';
import { sealState } from '../call-state.ts';
import type { Gate } from '../means.ts';
import type { Outcome } from '../request.ts';
import type { Approved, Valid } from '../stages.ts';
import { bindingOf } from './resume.ts';

export async function suspend(use: Gate, valid: Valid, needed: InputNeeded): Promise<Outcome> {
  const { draft, request, inputDigest } = valid;
  const approval = (valid as Partial<Approved>).approval?.id;
  const { requests, state } = needed;
  requireAbilities(requests, request.abilities ?? []);
  const left = { call: draft.callId, state, approval };
  const sealed = sealState(use.secrets, use.clock.now(), bindingOf(valid, inputDigest), left);
  if (needed.goesOn) request.onGone?.(needed.goesOn.giveUp);
  // What may do something meanwhile stays as begun, so that it is found if nobody lives to end it.
  if (needed.goesOn && draft.inDoubt) void recordEnd(use, draft, needed.goesOn.ended);
  else await use.audit.append(draft.close({ status: 'suspended' }, use.clock.now()));
  return { ok: true, callId: draft.callId, answer: { kind: 'question', requests, state: sealed } };
}

async function recordEnd(use: Gate, draft: AuditDraft, ended: Promise<boolean>): Promise<void> {
  const ending = (await ended)
    ? ({ status: 'suspended' } as const)
    : ({ status: 'unconfirmed', code: 'DELEG_OUTCOME_UNCONFIRMED' } as const);
  try {
    await use.audit.append(draft.close(ending, use.clock.now()));
  } catch (error) {
    use.log.warn('call_end_not_recorded', { callId: draft.callId, ...faultFields(error) });
  }
}

function requireAbilities(requests: InputRequests, abilities: readonly Ability[]): void {
  const missing = new Set(Object.values(requests).map(({ kind }) => kind));
  for (const ability of abilities) missing.delete(ability);
  if (missing.size > 0) throw missingAbilities([...missing]);
}
