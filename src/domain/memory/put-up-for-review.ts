/** Lists what waits for a person with everything else that does: a candidate's proposal has the candidate's id. */
import type { MemoryId, ProposalId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { Landing } from '../../kernel/ticket.ts';
import { decisionOf, proposerOf } from '../workspace/proposals/candidates.ts';
import type { Proposal, ProposalState } from '../workspace/proposals/proposal.ts';
import type { MemoryMeans } from './means.ts';
import type { MemoryItem } from './memory-item.ts';

/** The call that an author's yes carries out. */
export const REVIEW = 'memory_review';
const LONGEST_SUMMARY = 300;

const proposalOf = (id: MemoryId): ProposalId => id as string as ProposalId;

/** It never expires: nobody would see it in the list, and it would still wait. */
export async function putUpForReview(
  use: Pick<MemoryMeans, 'proposals'>,
  { tx, submission }: Landing,
  item: MemoryItem,
  asked: Pick<Proposal, 'id' | 'op' | 'arguments' | 'summary'>,
): Promise<void> {
  const waiting: Proposal = {
    ...asked,
    workspace: item.workspace,
    page: null,
    concerns: [{ kind: 'memory', id: item.id, version: String(item.version) }],
    sources: item.sources.filter(({ kind }) => kind === 'page'),
    text: null,
    origin: item.origin,
    by: proposerOf(submission),
    overlaps: false,
    state: 'pending',
    createdAt: submission.at,
    expiresAt: null,
    decided: null,
  };
  await use.proposals.insert(tx, [waiting]);
}

export async function putUpCandidate(
  use: Pick<MemoryMeans, 'proposals' | 'memory'>,
  landing: Landing,
  item: MemoryItem,
): Promise<void> {
  const summary = summaryOf(item, await notersOf(use, landing.tx, item));
  const call = { op: REVIEW, arguments: { id: item.id, decision: 'accept', body: item.body } };
  await putUpForReview(use, landing, item, { id: proposalOf(item.id), ...call, summary });
}

/** Whose words it was made of, where they are not those of who made it. */
async function notersOf(
  use: Pick<MemoryMeans, 'memory'>,
  scope: ReadScope,
  { workspace, owner, sources }: MemoryItem,
): Promise<readonly string[]> {
  const ids = sources.flatMap(({ kind, id }) => (kind === 'memory' ? (id as MemoryId) : []));
  const items = ids.length === 0 ? [] : await use.memory.find(scope, workspace, ids);
  return [...new Set(items.filter((one) => one.owner !== owner).map(({ ownerName }) => ownerName))];
}

const NOTERS_NAMED = 3;

function summaryOf({ tier, subject, predicate, name, body }: MemoryItem, noters: readonly string[]): string {
  const about = [subject ?? name, predicate].filter((text) => text !== null).join(' ');
  const [named, more] = [noters.slice(0, NOTERS_NAMED).join(', '), noters.length > NOTERS_NAMED];
  const whose = noters.length === 0 ? '' : `, from what ${named}${more ? ' and others' : ''} noted`;
  return shortened(`New ${tier} memory "${about}"${whose}: ${body.replace(/\s+/gu, ' ').trim()}`);
}

export const shortened = (what: string): string =>
  what.length <= LONGEST_SUMMARY ? what : `${what.slice(0, LONGEST_SUMMARY).toWellFormed()}…`;

/** For decisions that were made here and not on the list. */
export async function closeReview(
  use: Pick<MemoryMeans, 'proposals'>,
  landing: Landing,
  { id, look }: MemoryItem,
  state: Exclude<ProposalState, 'pending'>,
  note: string | null = null,
): Promise<void> {
  const proposal = look ?? proposalOf(id);
  if (landing.submission.accepted?.proposal === proposal) return;
  await use.proposals.decide(landing.tx, proposal, state, decisionOf(landing, note));
}

export async function reopenReview(
  use: Pick<MemoryMeans, 'proposals'>,
  { tx }: Landing,
  { id }: MemoryItem,
): Promise<void> {
  await use.proposals.reopen(tx, [proposalOf(id)]);
}
