/** The port to what waits for review, and to what was decided. Records are kept for good. */
import type { PageId, PrincipalId, ProposalId, RunId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { Origin } from '../../../kernel/submission.ts';
import type { Decided, Proposal, ProposalEntry, ProposalState } from '../proposals/proposal.ts';

export interface ProposalFilter {
  readonly state?: ProposalState | undefined;
  readonly run?: RunId | undefined;
  readonly page?: PageId | undefined;
  /** By the name or the id of whoever made it. */
  readonly caller?: string | undefined;
  readonly origin?: Origin | undefined;
  /** What counts as expired. */
  readonly now: number;
}

export interface ProposalStore {
  find(scope: ReadScope, workspace: WorkspaceId, id: ProposalId): Promise<Proposal | undefined>;
  /** Newest first, before the given one. */
  list(
    scope: ReadScope,
    workspace: WorkspaceId,
    filter: ProposalFilter,
    limit: number,
    before?: ProposalId,
  ): Promise<readonly ProposalEntry[]>;
  /** What a run left to decide, oldest first. */
  pendingOfRun(
    scope: ReadScope,
    workspace: WorkspaceId,
    run: RunId,
    now: number,
    limit: number,
  ): Promise<readonly ProposalEntry[]>;
  /** What still waits for any of these pages, oldest first. */
  pendingOfPages(
    scope: ReadScope,
    workspace: WorkspaceId,
    pages: readonly PageId[],
  ): Promise<readonly ProposalEntry[]>;
  /** Changes of a page's text that somebody still waits for, oldest first. */
  pendingTexts(
    scope: ReadScope,
    workspace: WorkspaceId,
    page: PageId,
    by: PrincipalId,
    now: number,
  ): Promise<readonly Proposal[]>;
  insert(tx: WriteTx, proposals: readonly Proposal[]): Promise<void>;
  decide(tx: WriteTx, id: ProposalId, state: ProposalState, decided: Decided): Promise<void>;
  /** Rejected ones among these wait again. */
  reopen(tx: WriteTx, ids: readonly ProposalId[]): Promise<void>;
  /** Writes down what has expired by now; answers how many. */
  expire(tx: WriteTx, now: number): Promise<number>;
}
