/** The port to candidates that are no pages: whoever keeps them is told of an author's no. */
import type { Landing } from '../../../kernel/ticket.ts';
import type { Proposal } from '../proposals/proposal.ts';

export interface OtherCandidates {
  /** In the unit of the decision; does nothing where the proposal is not about one of them. */
  rejected(landing: Landing, proposal: Proposal, reason: string | undefined): Promise<void>;
}
