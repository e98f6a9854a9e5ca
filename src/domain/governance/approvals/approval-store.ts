/** The port to approvals. Every change of one names the state it expects, so that no two can make the same one. */
import type { ApprovalId, CallId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { Approval, ApprovalKey, ApprovalKind, ApprovalState } from './approval.ts';

export interface ApprovalFilter {
  readonly state?: ApprovalState | undefined;
  readonly kind?: ApprovalKind | undefined;
}

/** What may change of an approval once it is there. */
export type ApprovalChange = Partial<
  Pick<
    Approval,
    | 'state'
    | 'decision'
    | 'decidedAt'
    | 'decidedBy'
    | 'decidedCall'
    | 'reason'
    | 'usedAt'
    | 'usedCall'
    | 'blob'
  >
>;

export interface ApprovalStore {
  find(scope: ReadScope, id: string): Promise<Approval | undefined>;
  /** Of the same call, newest first; a few at most. */
  ofKey(scope: ReadScope, key: ApprovalKey): Promise<readonly Approval[]>;
  /** Approved for everything a run does with a tool, newest first. */
  ofRun(
    scope: ReadScope,
    of: { readonly principal: string; readonly run: string; readonly tool: string },
  ): Promise<readonly Approval[]>;
  /** Those that a call asked for, decided or used. */
  ofCall(scope: ReadScope, call: string): Promise<readonly Approval[]>;
  /** Newest first, older than the one named. */
  list(
    scope: ReadScope,
    filter: ApprovalFilter,
    limit: number,
    before?: ApprovalId,
  ): Promise<readonly Approval[]>;
  /** Pending ones beyond the newest so many, newest first. */
  beyond(
    scope: ReadScope,
    of: { readonly kind: ApprovalKind; readonly principal?: string },
    count: number,
  ): Promise<readonly Approval[]>;
  /** Names of tools of which a held answer was approved and not fetched yet. */
  releasedTools(scope: ReadScope): Promise<readonly string[]>;
  add(tx: WriteTx, approval: Approval): Promise<void>;
  /** False when it is not in that state, or not used by that call, any more; then nothing was changed. */
  change(
    tx: WriteTx,
    id: ApprovalId,
    expected: { readonly state: ApprovalState; readonly usedCall?: CallId },
    change: ApprovalChange,
  ): Promise<boolean>;
  /** Writes down what has expired; answers those it did, with what they held. */
  expire(tx: WriteTx, now: number): Promise<readonly Approval[]>;
  /** Facts of what was over before that time. */
  forget(tx: WriteTx, before: number): Promise<number>;
}
