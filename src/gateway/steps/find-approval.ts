/**
 * Part of step 13: the yes that fits a call in everything it is bound to. Finding and using it up is one unit, so that
 * of two equal calls one gets it; where there is none, the call is put up for a decision.
 */
import {
  type Approval,
  type ApprovalKey,
  MAX_WAITING,
  PREINVOKE_MS,
  stateAt,
} from '../../domain/governance/approvals/approval.ts';
import { policyMark } from '../../domain/governance/approvals/approval-policy.ts';
import { decided } from '../../domain/governance/approvals/decide-approval.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { ApprovalId } from '../../kernel/ids.ts';
import { mayApprove } from '../../kernel/may-approve.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import { answerIn } from '../approval-question.ts';
import type { Gate } from '../means.ts';
import type { Valid } from '../stages.ts';
import { summaryOf } from '../summarise-call.ts';

interface Found {
  readonly approval: Approval;
  /** True when it is this call's now. */
  readonly use: boolean;
}

/** What a yes must be given to. */
interface Wanted {
  readonly key: ApprovalKey;
  readonly binding: string;
  readonly policy: string;
  readonly run: string;
  readonly now: number;
}

export async function findApproval(use: Gate, valid: Valid, needed: boolean): Promise<Found | undefined> {
  // Made here and not inside, because a unit may run again.
  const fresh = use.ids.next<ApprovalId>();
  const found = await use.units.write({}, async (tx) => {
    const wanted = wantedBy(use, valid);
    await expireSome(use, tx, wanted.now);
    const { claims } = valid.request;
    if (claims.approval !== undefined) return useNamed(use, tx, valid, wanted, claims.approval);
    const answered = await answer(use, tx, valid, wanted);
    if (answered) return answered;
    const same = (await use.approvals.store.ofKey(tx, wanted.key)).filter((one) => fits(one, wanted));
    const held = same.find((one) => one.kind === 'postfirewall' && one.state === 'approved');
    if (held) return claim(use, tx, valid, held);
    if (!needed) return undefined;
    const known = same.filter((one) => one.kind === 'preinvoke' && stateAt(one, wanted.now) === one.state);
    const approved = known.find((one) => one.state === 'approved') ?? (await forRun(use, tx, wanted));
    if (approved) return claim(use, tx, valid, approved);
    const waits = known.find(
      (one) => (one.state === 'rejected' && one.expiresAt > wanted.now) || one.state === 'pending',
    );
    return { approval: waits ?? (await putUp(use, tx, valid, wanted, fresh)), use: false };
  });
  if (found?.use && found.approval.kind === 'postfirewall') await use.approvals.refresh();
  return found;
}

export function wantedBy(use: Gate, { caller, entry, inputDigest, request }: Valid): Wanted {
  // Reading, following and completing may be asked for in the same words, and are not the same.
  const kind = request.target.kind === 'tool' ? '' : request.target.kind;
  const workspace = entry.needsWorkspace ? (caller.context.workspace ?? '') : '';
  return {
    key: { principal: caller.principal.id, tool: entry.name, inputDigest },
    binding: [entry.binding ?? '', workspace, kind].filter(Boolean).join(' '),
    policy: policyMark(use.governance.current()),
    run: caller.context.run,
    now: use.clock.now(),
  };
}

const fits = (one: Approval, { key, binding, policy, run }: Wanted): boolean =>
  one.principal === key.principal &&
  one.tool === key.tool &&
  one.inputDigest === key.inputDigest &&
  one.binding === binding &&
  one.policy === policy &&
  (one.decision !== 'APPROVED_FOR_SESSION' || one.run === run);

/** What the caller names must be its own, of this call, and given. */
async function useNamed(
  use: Gate,
  tx: WriteTx,
  valid: Valid,
  wanted: Wanted,
  id: string,
): Promise<Found | undefined> {
  const one = await use.approvals.store.find(tx, id);
  if (!one || one.principal !== wanted.key.principal)
    throw new SluiceError('not_found', `There is no approval "${id}"`, { field: 'approval' });
  if (one.state === 'approved' && fits(one, wanted)) return claim(use, tx, valid, one);
  if (['pending', 'rejected'].includes(one.state) && fits(one, wanted)) return { approval: one, use: false };
  throw new SluiceError(
    'DELEG_APPROVAL_REQUIRED',
    `DELEG_APPROVAL_REQUIRED: the approval "${id}" is ${one.state}, or of another call; call without it to ask anew`,
    { approval: id, state: one.state },
  );
}

/** What the person at the client said to the question, or goes on with what was said yes to before. */
async function answer(use: Gate, tx: WriteTx, valid: Valid, wanted: Wanted): Promise<Found | undefined> {
  const { resumed, caller, draft } = valid;
  const one = resumed.approval && (await use.approvals.store.find(tx, resumed.approval));
  if (!one || !fits(one, wanted) || resumed.call === undefined) return undefined;
  const { store } = use.approvals;
  if (one.state === 'used') {
    const usedCall = draft.callId;
    const goesOn = await store.change(tx, one.id, { state: 'used', usedCall: resumed.call }, { usedCall });
    return goesOn ? { approval: { ...one, usedCall }, use: true } : undefined;
  }
  const yes = answerIn(resumed.answers);
  if (one.state !== 'pending' || yes === undefined || !mayApprove(caller)) return undefined;
  const change = decided(one, yes ? 'APPROVED_ONCE' : 'REJECTED', 'said at the client', {
    caller,
    at: wanted.now,
    callId: draft.callId,
  });
  await store.change(tx, one.id, { state: 'pending' }, change);
  const now = { ...one, ...change };
  return yes ? claim(use, tx, valid, now) : { approval: now, use: false };
}

async function forRun(
  use: Gate,
  tx: WriteTx,
  { key, binding, policy, run, now }: Wanted,
): Promise<Approval | undefined> {
  if (!use.governance.current().settings.approval_for_session) return undefined;
  const of = { principal: key.principal, run, tool: key.tool };
  const found = await use.approvals.store.ofRun(tx, of);
  return found.find((one) => one.binding === binding && one.policy === policy && one.expiresAt > now);
}

async function claim(use: Gate, tx: WriteTx, { draft }: Valid, one: Approval): Promise<Found> {
  const lasts = one.decision === 'APPROVED_FOR_SESSION';
  const change = {
    state: lasts ? ('approved' as const) : ('used' as const),
    usedAt: use.clock.now(),
    usedCall: draft.callId,
  };
  if (!(await use.approvals.store.change(tx, one.id, { state: 'approved' }, change)))
    throw new SluiceError(
      'DELEG_APPROVAL_REQUIRED',
      `DELEG_APPROVAL_REQUIRED: the approval "${one.id}" was used a moment ago; call again to ask anew`,
      { approval: one.id, state: 'used' },
    );
  return { approval: { ...one, ...change }, use: true };
}

async function putUp(
  use: Gate,
  tx: WriteTx,
  valid: Valid,
  wanted: Wanted,
  id: ApprovalId,
): Promise<Approval> {
  const { caller, entry, draft } = valid;
  const of = { kind: 'preinvoke', principal: wanted.key.principal } as const;
  const [last] = await use.approvals.store.beyond(tx, of, MAX_WAITING - 1);
  if (last)
    throw new SluiceError('rate_limited', `${MAX_WAITING} calls wait for a yes already`, {
      retry_after_ms: Math.max(0, last.expiresAt - wanted.now),
    });
  const approval: Approval = {
    ...wanted.key,
    id,
    kind: 'preinvoke',
    state: 'pending',
    call: draft.callId,
    caller: caller.principal,
    run: caller.context.run,
    server: entry.server,
    effect: entry.effect,
    binding: wanted.binding,
    policy: wanted.policy,
    summary: summaryOf(use, valid),
    createdAt: wanted.now,
    expiresAt: wanted.now + PREINVOKE_MS,
    ...UNDECIDED,
  };
  await use.approvals.store.add(tx, approval);
  return approval;
}

export const UNDECIDED = {
  decision: null,
  decidedAt: null,
  decidedBy: null,
  decidedCall: null,
  reason: null,
  usedAt: null,
  usedCall: null,
  blob: null,
} as const;

/** Written down when it is found, so that no clock can bring it back. */
async function expireSome(use: Gate, tx: WriteTx, now: number): Promise<void> {
  const expired = await use.approvals.store.expire(tx, now);
  tx.afterCommit(async () => {
    for (const { blob } of expired) if (blob !== null) await use.blobs.remove(blob);
  });
}
