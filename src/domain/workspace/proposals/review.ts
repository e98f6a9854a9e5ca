/** What every review begins with: somebody who may, and something that still waits. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { ProposalId, RunId, WorkspaceId } from '../../../kernel/ids.ts';
import { mayReview } from '../../../kernel/may-review.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import type { WorkspaceMeans } from '../means.ts';
import { workspaceOf } from '../page-rules.ts';
import { type Proposal, stateAt } from './proposal.ts';

/** Only an author decides; what a program says of itself can only make it less of one. */
export function openReview(ticket: WriteTicket): Landing {
  const landing = requireTicket(ticket, 'review', 'land');
  if (mayReview(landing.submission.caller)) return landing;
  throw new SluiceError('denied', 'Only an author accepts or rejects what waits for review');
}

export async function findProposal(
  use: Pick<WorkspaceMeans, 'proposals'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  id: string,
): Promise<Proposal> {
  const proposal = await use.proposals.find(scope, workspace, id as ProposalId);
  if (proposal) return proposal;
  throw new SluiceError('not_found', `There is no proposal "${id}"`, { field: 'proposal' });
}

/** Throws `conflict` when it was decided already or has expired. */
export async function pendingProposal(
  use: Pick<WorkspaceMeans, 'proposals'>,
  { tx, submission }: Landing,
  id: string,
): Promise<Proposal> {
  const proposal = await findProposal(use, tx, workspaceOf(submission), id);
  const state = stateAt(proposal, submission.at);
  if (state === 'pending') return proposal;
  const by = proposal.decided ? ` by ${proposal.decided.byName}` : '';
  throw new SluiceError('conflict', `The proposal was ${state}${by}; it can no longer be decided`, {
    reason: state,
    proposal: id,
  });
}

export interface Outcome<Done> {
  readonly proposal: ProposalId;
  readonly done?: Done;
  /** Why it was not; nothing of it stays. */
  readonly error?: SluiceError;
}

export interface RunOutcomes<Done> {
  readonly outcomes: readonly Outcome<Done>[];
  /** There is more of the run left to decide. */
  readonly more: boolean;
}

/** Everything one run left to decide, oldest first; what cannot be done does not keep the rest from it. */
export async function decideRun<Done>(
  use: Pick<WorkspaceMeans, 'proposals'>,
  { tx, submission }: Landing,
  run: string,
  limit: number,
  decide: (proposal: ProposalId) => Promise<Done>,
): Promise<RunOutcomes<Done>> {
  const workspace = workspaceOf(submission);
  const found = await use.proposals.pendingOfRun(tx, workspace, run as RunId, submission.at, limit + 1);
  if (found.length === 0)
    throw new SluiceError('not_found', `Nothing of the run "${run}" waits for review`, { field: 'run' });
  const outcomes: Outcome<Done>[] = [];
  for (const { id } of found.slice(0, limit)) {
    await tx.breathe();
    try {
      outcomes.push({ proposal: id, done: await tx.attempt(() => decide(id)) });
    } catch (error) {
      if (!(error instanceof SluiceError) || error.code === 'internal') throw error;
      outcomes.push({ proposal: id, error });
    }
  }
  return { outcomes, more: found.length > limit };
}
