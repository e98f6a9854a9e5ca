/** Lists what waits for a person with everything else that does: a candidate's proposal has the candidate's id. */
import type { MemoryId, ProposalId } from '../../kernel/ids.ts';
import type { Landing } from '../../kernel/ticket.ts';
import { decisionOf, proposerOf } from '../workspace/proposals/candidates.ts';
import type { Proposal } from '../workspace/proposals/proposal.ts';
import type { MemoryMeans } from './means.ts';
import type { MemoryItem } from './memory-item.ts';

/** The call that an author's yes carries out. */
const REVIEW = 'memory_review';
const LONGEST_SUMMARY = 300;

const proposalOf = (id: MemoryId): ProposalId => id as string as ProposalId;

/** It never expires: nobody would see it in the list, and it would still wait. */
export async function putUpForReview(
  use: MemoryMeans,
  { tx, submission }: Landing,
  item: MemoryItem,
): Promise<void> {
  const waiting: Proposal = {
    id: proposalOf(item.id),
    workspace: item.workspace,
    page: null,
    op: REVIEW,
    arguments: { id: item.id, decision: 'accept', body: item.body },
    concerns: [{ kind: 'memory', id: item.id, version: String(item.version) }],
    sources: item.sources.filter(({ kind }) => kind === 'page'),
    text: null,
    origin: item.origin,
    by: proposerOf(submission),
    summary: summaryOf(item),
    overlaps: false,
    state: 'pending',
    createdAt: submission.at,
    expiresAt: null,
    decided: null,
  };
  await use.proposals.insert(tx, [waiting]);
}

function summaryOf({ tier, subject, predicate, name, body }: MemoryItem): string {
  const about = [subject ?? name, predicate].filter((text) => text !== null).join(' ');
  const what = `New ${tier} memory "${about}": ${body.replace(/\s+/gu, ' ').trim()}`;
  return what.length <= LONGEST_SUMMARY ? what : `${what.slice(0, LONGEST_SUMMARY).toWellFormed()}…`;
}

/** For decisions that were made here and not on the list. */
export async function closeReview(
  use: Pick<MemoryMeans, 'proposals'>,
  landing: Landing,
  { id }: MemoryItem,
  state: 'accepted' | 'rejected',
  note: string | null = null,
): Promise<void> {
  if (landing.submission.accepted?.proposal === proposalOf(id)) return;
  await use.proposals.decide(landing.tx, proposalOf(id), state, decisionOf(landing, note));
}

export async function reopenReview(
  use: Pick<MemoryMeans, 'proposals'>,
  { tx }: Landing,
  { id }: MemoryItem,
): Promise<void> {
  await use.proposals.reopen(tx, [proposalOf(id)]);
}
