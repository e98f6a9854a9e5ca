/** Takes back what a run wanted and nobody has decided about: it waits no longer. */
import type { ProposalId } from '../../../kernel/ids.ts';
import type { PageHeader } from '../page.ts';
import type { WorkspaceEvent } from '../ports/event-log.ts';
import { decisionOf } from '../proposals/candidates.ts';
import { newPageProposal, type Proposal, stateAt } from '../proposals/proposal.ts';
import { recordChange } from '../record-change.ts';
import { kept, stepOf, type UndoStep } from './step.ts';
import type { Undoing } from './undoing.ts';

const REASON = 'Its run was undone';

export async function undoProposing(undoing: Undoing, event: WorkspaceEvent): Promise<UndoStep> {
  const { use, landing, workspace } = undoing;
  const { proposal, title, version } = await proposalOf(undoing, event);
  const state = proposal ? stateAt(proposal, landing.submission.at) : 'expired';
  if (!proposal || state === 'rejected' || state === 'expired') return stepOf(event, title, 'nothing');
  // What came of it is an event of its own, and is taken back as such.
  if (state === 'accepted') return stepOf(event, title, 'nothing');
  await withdraw(undoing, proposal);
  const details = { proposal: proposal.id, reason: REASON };
  await recordChange(use, landing, workspace, [
    { kind: 'proposal_rejected', page: event.page, beforeVersion: version, afterVersion: version, details },
  ]);
  return stepOf(event, title, 'undone');
}

/** An undoing that withdrew something is itself undone: it waits again. Other decisions stand. */
export async function undoRejecting(undoing: Undoing, event: WorkspaceEvent): Promise<UndoStep> {
  const { use, landing, workspace } = undoing;
  const { proposal, title, version } = await proposalOf(undoing, event);
  if (!proposal || event.details.undo_of === undefined) throw kept('a decision stands');
  if (proposal.state !== 'rejected') return stepOf(event, title, 'nothing');
  await use.proposals.reopen(landing.tx, [proposal.id]);
  const details = { proposal: proposal.id };
  await recordChange(use, landing, workspace, [
    { kind: 'change_proposed', page: event.page, beforeVersion: version, afterVersion: version, details },
  ]);
  return stepOf(event, title, 'undone');
}

/** Pages that were to become canonical and went to the trash instead; restoring puts them up again. */
export async function withdrawNewPages(undoing: Undoing, pages: readonly PageHeader[]): Promise<void> {
  const { use, landing, workspace } = undoing;
  for (const { id, lifecycle } of pages) {
    if (lifecycle === 'canonical') continue;
    const proposal = await use.proposals.find(landing.tx, workspace, newPageProposal(id));
    if (proposal?.state === 'pending') await withdraw(undoing, proposal);
  }
}

async function withdraw({ use, landing }: Undoing, { id }: Proposal): Promise<void> {
  await use.proposals.decide(landing.tx, id, 'rejected', decisionOf(landing, REASON));
}

async function proposalOf(
  { use, landing, workspace }: Undoing,
  { page, details }: WorkspaceEvent,
): Promise<{ readonly proposal?: Proposal; readonly title: string; readonly version: string | null }> {
  const proposal = await use.proposals.find(landing.tx, workspace, String(details.proposal) as ProposalId);
  const [header] = page === null ? [] : await use.pages.headers(landing.tx, workspace, [page]);
  // The page may have moved on since: what is said now is said of it as it is.
  return { title: header?.title ?? '', version: header?.version ?? null, ...(proposal && { proposal }) };
}
