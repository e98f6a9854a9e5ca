/** The port to candidates that are no pages: whoever keeps them is told of an author's no. */
import type { Caller } from '../../../kernel/caller.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import type { Proposal } from '../proposals/proposal.ts';

export type ProposedChange = Pick<Proposal, 'id' | 'workspace' | 'op' | 'arguments' | 'concerns'>;

/** What a proposal would do to something that is no page, for people. */
export interface OtherChange {
  readonly id: string;
  /** What it is called, or what it is about. */
  readonly title: string;
  /** What holds now; null where nothing does. */
  readonly before: string | null;
  /** What would hold; null where it would be forgotten. */
  readonly after: string | null;
  readonly changedSince: boolean;
  /** Everybody in the workspace may know of it. */
  readonly open: boolean;
}

export interface OtherCandidates {
  /** True when what it would replace has changed since, so that it cannot land. */
  overlaps(scope: ReadScope, proposal: Proposal, now: number): Promise<boolean>;
  /** As far as the caller may see it. None for proposals about pages. */
  changes(
    scope: ReadScope,
    caller: Caller,
    proposal: ProposedChange,
    now: number,
  ): Promise<readonly OtherChange[]>;
  /** In the unit of the decision; does nothing where the proposal is not about one of them. */
  rejected(landing: Landing, proposal: Proposal, reason: string | undefined): Promise<void>;
}
