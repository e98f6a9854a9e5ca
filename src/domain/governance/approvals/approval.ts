/**
 * An approval: one exact call that waits for a person's yes, or one answer that does. It is bound to who called what
 * with which arguments, to the tool as it was admitted and to the policy of that moment, and is good for one use.
 */
import type { Principal } from '../../../kernel/caller.ts';
import type { ApprovalId, CallId, PrincipalId } from '../../../kernel/ids.ts';

/** `preinvoke`: nothing was called yet. `postfirewall`: it was, and its answer is held. */
export const APPROVAL_KINDS = ['preinvoke', 'postfirewall'] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

export const APPROVAL_STATES = ['pending', 'approved', 'rejected', 'used', 'expired'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

export const APPROVAL_DECISIONS = ['APPROVED_ONCE', 'APPROVED_FOR_SESSION', 'REJECTED'] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** Calls that are the same call: nothing but an equal one may use the yes. */
export interface ApprovalKey {
  readonly principal: PrincipalId;
  readonly tool: string;
  readonly inputDigest: string;
}

/** What a person is shown of it: masked, bounded, and marked where something was taken out. */
export interface ApprovalSummary {
  readonly arguments: string;
  /** Of a held answer: the verdict, the rules behind it, and how it begins. */
  readonly verdict?: string;
  readonly rules?: readonly string[];
  readonly excerpt?: string;
  readonly masked: boolean;
}

export interface Approval extends ApprovalKey {
  readonly id: ApprovalId;
  readonly kind: ApprovalKind;
  readonly state: ApprovalState;
  /** The call that asked, or whose answer is held. */
  readonly call: CallId;
  readonly caller: Principal;
  readonly run: string;
  readonly server: string;
  readonly effect: string;
  /** The tool as it was admitted, and where it would work. */
  readonly binding: string;
  /** What governed then. */
  readonly policy: string;
  readonly summary: ApprovalSummary;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decision: ApprovalDecision | null;
  readonly decidedAt: number | null;
  readonly decidedBy: string | null;
  readonly decidedCall: CallId | null;
  readonly reason: string | null;
  readonly usedAt: number | null;
  readonly usedCall: CallId | null;
  /** The held answer, sealed. */
  readonly blob: string | null;
}

export const PREINVOKE_MS = 15 * 60 * 1000;
/** What is held has happened already, so that waiting for a person costs no more than the room it takes. */
export const HELD_MS = 24 * 60 * 60 * 1000;
/** Calls of one principal that wait at once, and answers that are held in all. */
export const MAX_WAITING = 64;
export const MAX_HELD = 128;
/** How long the facts stay after everything is over. */
export const KEEP_FACTS_MS = 30 * 24 * 60 * 60 * 1000;

/** As it is at that time, written down or not. */
export const stateAt = ({ state, expiresAt }: Approval, now: number): ApprovalState =>
  (state === 'pending' || state === 'approved') && expiresAt <= now ? 'expired' : state;

export const sealPurpose = (id: ApprovalId): string => `held-answer\n${id}`;
