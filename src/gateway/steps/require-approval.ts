/**
 * Step 13: effects that need somebody's yes first. The yes is looked for among those given to this very call, used up
 * in the same unit, and asked for where there is none. What no policy can describe is refused outright.
 */
import { BUILT_IN } from '../../catalogue/registration.ts';
import type { Approval } from '../../domain/governance/approvals/approval.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { mayApprove } from '../../kernel/may-approve.ts';
import { questionFor } from '../approval-question.ts';
import type { Gate } from '../means.ts';
import { type Approved, learn, type Valid } from '../stages.ts';
import { findApproval } from './find-approval.ts';
import { openHeld } from './hold-answer.ts';

/** At once for what needs nobody's yes. */
export function requireApproval(use: Gate, valid: Valid): Approved | Promise<Approved> {
  const { entry, draft } = valid;
  if (entry.effect === 'unsupported_effect') {
    draft.refusedBy('approval');
    throw uncovered(entry);
  }
  const needed = needOf(use, valid);
  if (needed === false && !mayRelease(use, valid)) return valid as Approved;
  return settle(use, valid, needed);
}

function uncovered({ name, server }: Valid['entry']): SluiceError {
  const what = `${name} has an effect that no policy covers`;
  if (server === BUILT_IN) return new SluiceError('denied', what);
  const code = 'DELEG_CAPABILITY_NOT_ALLOWED';
  return new SluiceError(code, `${code}: ${what}`, { provider: server, verdict: 'POLICY_BLOCKED' });
}

/** Of what is held back as a whole nothing is given out, and the refusal says why. */
const mayRelease = (use: Gate, { entry }: Valid): boolean =>
  entry.listed && use.approvals.mayRelease(entry.name);

/** At once but where it depends on what the run has seen. */
function needOf(use: Gate, { entry, caller }: Valid): boolean | Promise<boolean> {
  if (entry.approval !== 'policy') return entry.approval === 'always';
  const { settings } = use.governance.current();
  if (settings.approval_local_effects) return true;
  return settings.approval_mixed_runs && use.mixedRuns.has(caller.context.run);
}

async function settle(use: Gate, valid: Valid, need: boolean | Promise<boolean>): Promise<Approved> {
  const needed = await need;
  if (!needed && !mayRelease(use, valid)) return valid as Approved;
  const found = await findApproval(use, valid, needed);
  if (!found) return valid as Approved;
  const { approval, use: usable } = found;
  const known = learn(valid, 'approval', approval);
  if (usable) {
    if (valid.resumed.call === undefined) known.draft.resumes(approval.call);
    const released = approval.kind === 'postfirewall' ? await openHeld(use, approval) : undefined;
    return learn(known, 'released', released) as unknown as Approved;
  }
  if (approval.state === 'pending' && canBeAsked(valid)) throw questionFor(approval);
  valid.draft.refusedBy('approval');
  throw refusalOf(approval);
}

/** Only where a person with the right sits at the client; everybody else waits for one elsewhere. */
const canBeAsked = ({ caller, request }: Valid): boolean =>
  mayApprove(caller) && (request.abilities?.includes('form') ?? false);

function refusalOf({ id, tool, server, state, expiresAt, reason }: Approval): SluiceError {
  const details = { provider: server, approval: id, expires_at: new Date(expiresAt).toISOString() };
  if (state === 'rejected')
    return new SluiceError(
      'DELEG_APPROVAL_REJECTED',
      `DELEG_APPROVAL_REJECTED: "${tool}" with these arguments was rejected${reason ? `: ${reason}` : ''}`,
      details,
    );
  return new SluiceError(
    'DELEG_APPROVAL_REQUIRED',
    `DELEG_APPROVAL_REQUIRED: "${tool}" waits for a person's yes (sluice approval decide ${id} --approve); then call it again with the same arguments`,
    details,
  );
}

/** Nothing happened with it, so that it is good for another try; what failed is told elsewhere. */
export async function giveBack(use: Gate, { approval, draft, entry, released }: Approved): Promise<void> {
  if (approval?.state !== 'used') return;
  const outside = entry.kind === 'tool' && entry.mode === 'action' && !released;
  if (outside && draft.effectState !== 'none') return;
  await use.units.write({}, (tx) =>
    use.approvals.store.change(
      tx,
      approval.id,
      { state: 'used', usedCall: draft.callId },
      { state: 'approved', usedAt: null, usedCall: null },
    ),
  );
  if (released) await use.approvals.refresh();
}
