/** Step 17 for a call that gave itself up to ask: recorded as suspended, its state sealed, and then the question. */
import {
  type Ability,
  type InputNeeded,
  type InputRequests,
  missingAbilities,
} from '../../catalogue/input-request.ts';
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
  await use.audit.append(draft.close({ status: 'suspended' }, use.clock.now()));
  if (needed.onGone) request.onGone?.(needed.onGone);
  return { ok: true, callId: draft.callId, answer: { kind: 'question', requests, state: sealed } };
}

function requireAbilities(requests: InputRequests, abilities: readonly Ability[]): void {
  const missing = new Set(Object.values(requests).map(({ kind }) => kind));
  for (const ability of abilities) missing.delete(ability);
  if (missing.size > 0) throw missingAbilities([...missing]);
}
