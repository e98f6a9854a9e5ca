/** An author's no. The record stays; a page that was to become canonical goes to the trash. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { BatchId, PageId } from '../../../kernel/ids.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { NewEvent } from '../ports/event-log.ts';
import { recordChange } from '../record-change.ts';
import { landTrash } from '../trash-page.ts';
import { decisionOf } from './candidates.ts';
import { isNewPage, newPageProposal, type Proposal, stateAt } from './proposal.ts';
import { pendingProposal } from './review.ts';

export interface Rejected {
  readonly proposal: Proposal;
  /** New pages below a new page, which went with it. */
  readonly also: readonly Proposal[];
  /** The deletion of a new page; restoring it puts it up for review again. */
  readonly batch?: BatchId;
}

export async function rejectProposal(
  use: WorkspaceMeans,
  landing: Landing,
  id: string,
  reason: string | undefined,
): Promise<Rejected> {
  const proposal = await pendingProposal(use, landing, id);
  const removed = isNewPage(proposal) ? await removeNewPage(use, landing, proposal) : undefined;
  const also = removed?.below ?? [];
  await use.otherCandidates?.rejected(landing, proposal, reason);
  const events: NewEvent[] = [];
  for (const one of [proposal, ...also]) {
    await use.proposals.decide(landing.tx, one.id, 'rejected', decisionOf(landing, reason ?? null));
    events.push(await rejection(use, landing, one, reason));
  }
  await recordChange(use, landing, proposal.workspace, events);
  return { proposal, also, ...(removed && { batch: removed.batch }) };
}

async function rejection(
  use: WorkspaceMeans,
  { tx }: Landing,
  proposal: Proposal,
  reason: string | undefined,
): Promise<NewEvent> {
  const { page, id, op, by, workspace } = proposal;
  const [header] = page === null ? [] : await use.pages.headers(tx, workspace, [page]);
  const version = header?.version ?? null;
  const details = {
    proposal: id,
    op,
    proposed_by: by.principal.name,
    ...(reason !== undefined && { reason }),
  };
  const versions = { beforeVersion: version, afterVersion: version };
  return { kind: 'proposal_rejected', page, ...versions, details };
}

/** With the new pages below it; what is canonical there has to be put elsewhere first. */
async function removeNewPage(
  use: WorkspaceMeans,
  landing: Landing,
  proposal: Proposal,
): Promise<{ readonly batch: BatchId; readonly below: readonly Proposal[] } | undefined> {
  const { tx, submission } = landing;
  const { workspace } = proposal;
  const [page] = await use.pages.headers(tx, workspace, [proposal.page as PageId]);
  // Somebody threw it away already: there is nothing to do but to say no.
  if (!page || page.trashBatch !== null) return undefined;
  const subtree = await use.pages.subtree(tx, workspace, page.id);
  const kept = subtree.find((one) => one.lifecycle === 'canonical');
  if (kept) {
    throw new SluiceError('conflict', `"${kept.title}" is canonical and stands below it; move it first`, {
      reason: 'below',
      page: kept.id,
    });
  }
  const { batch } = await landTrash(use, landing, page);
  const below: Proposal[] = [];
  for (const { id } of subtree.slice(1)) {
    const other = await use.proposals.find(tx, workspace, newPageProposal(id));
    if (other && stateAt(other, submission.at) === 'pending') below.push(other);
  }
  return { batch, below };
}
