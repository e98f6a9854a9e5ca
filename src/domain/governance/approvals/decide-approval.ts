/** A person's yes or no to a call or an answer that waits for it. */
import { SluiceError } from '../../../kernel/errors.ts';
import { mayApprove } from '../../../kernel/may-approve.ts';
import type { BlobStore } from '../../../kernel/ports/blob-store.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { Submission } from '../../../kernel/submission.ts';
import { requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import type { AuditReader } from '../audit-log.ts';
import type { GovernanceState } from '../governance-state.ts';
import { type Approval, type ApprovalDecision, stateAt } from './approval.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import { policyMark } from './approval-policy.ts';
import type { ApprovalChange } from './approval-store.ts';

export interface ApprovalMeans {
  readonly desk: ApprovalDesk;
  readonly governance: GovernanceState;
  readonly reader: AuditReader;
  readonly blobs: BlobStore;
}

export async function decideApproval(
  use: ApprovalMeans,
  ticket: WriteTicket,
  id: string,
  decision: ApprovalDecision,
  reason: string,
): Promise<Approval> {
  const { tx, submission } = requireTicket(ticket, 'approval', 'land');
  const approval = await loadApproval(use, tx, id);
  requireJudge(submission, approval);
  const state = stateAt(approval, submission.at);
  if (state !== 'pending')
    throw new SluiceError('conflict', `The approval is ${state} and cannot be decided any more`, {
      reason: 'state',
      state,
    });
  const governance = await use.governance.within(tx);
  if (decision !== 'REJECTED' && approval.policy !== policyMark(governance))
    throw new SluiceError('conflict', 'The policy has changed since; the call has to be made again', {
      reason: 'policy',
    });
  if (decision === 'APPROVED_FOR_SESSION')
    requireSessions(approval, governance.settings.approval_for_session);
  if ((await use.reader.ofCall(tx, approval.call)).length === 0)
    throw new SluiceError('DELEG_AUDIT_LINEAGE_INVALID', `There is no record of the call ${approval.call}`);
  const change = decided(approval, decision, reason, submission);
  await use.desk.store.change(tx, approval.id, { state: 'pending' }, change);
  tx.afterCommit(async () => {
    if (decision === 'REJECTED' && approval.blob !== null) await use.blobs.remove(approval.blob);
    await use.desk.refresh();
  });
  return { ...approval, ...change };
}

export async function loadApproval(
  use: Pick<ApprovalMeans, 'desk'>,
  scope: ReadScope,
  id: string,
): Promise<Approval> {
  const found = await use.desk.store.find(scope, id);
  if (found) return found;
  throw new SluiceError('not_found', `There is no approval "${id}"`, { field: 'id' });
}

/** What is decided, by whom and why. It stays good until the same moment as before. */
export function decided(
  { blob }: Approval,
  decision: ApprovalDecision,
  reason: string,
  { caller, at, callId }: Pick<Submission, 'caller' | 'at' | 'callId'>,
): ApprovalChange {
  const rejected = decision === 'REJECTED';
  return {
    state: rejected ? 'rejected' : 'approved',
    decision,
    decidedAt: at,
    decidedBy: caller.principal.name,
    decidedCall: callId,
    reason,
    blob: rejected ? null : blob,
  };
}

/**
 * A program decides nothing. What came in by the same credential over a wire that programs use is decided at the
 * machine or in a form at the client: whoever drives the call must not say yes to it.
 */
function requireJudge({ caller }: Submission, approval: Approval): void {
  if (!mayApprove(caller))
    throw new SluiceError('denied', 'Only a person with the right decides about calls');
  if (caller.principal.id === approval.principal && caller.surface !== 'admin')
    throw new SluiceError('denied', 'Nobody says yes to a call of its own; decide at the machine', {
      reason: 'own_call',
    });
}

function requireSessions({ kind }: Approval, allowed: boolean): void {
  if (allowed && kind === 'preinvoke') return;
  throw new SluiceError('denied', 'The policy allows no approvals for a whole session', {
    reason: 'session',
  });
}
