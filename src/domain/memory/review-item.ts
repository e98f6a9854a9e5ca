/** A person's decision about what waits: accepting changes what it counts as, never where it came from. */
import { SluiceError } from '../../kernel/errors.ts';
import type { MemoryId } from '../../kernel/ids.ts';
import type { Submission } from '../../kernel/submission.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { workspaceOf } from '../workspace/page-rules.ts';
import type { Proposal } from '../workspace/proposals/proposal.ts';
import { forget } from './forget-items.ts';
import { checkBody } from './item-rules.ts';
import { keepAfterLook } from './look-again.ts';
import { tokensOf } from './make-item.ts';
import { requireAwaiting, requireReviewer } from './may-change.ts';
import type { MemoryMeans } from './means.ts';
import type { MemoryItem } from './memory-item.ts';
import { closeReview, REVIEW } from './put-up-for-review.ts';
import { recordMemory } from './record-memory.ts';
import { settleKey } from './settle-key.ts';
import { viewerOf, visibleItem } from './viewer.ts';
import { countAgain, inForce, isSame } from './write-statement.ts';
import type { Written } from './write-working.ts';

export interface Acceptance {
  readonly id: string;
  /** Other words than were proposed. */
  readonly body?: string | undefined;
  /** Also when something else holds by now than when it was proposed. */
  readonly anyway?: boolean | undefined;
}

export async function acceptItem(use: MemoryMeans, ticket: WriteTicket, wish: Acceptance): Promise<Written> {
  const landing = requireTicket(ticket, 'memory', 'land');
  const { tx, submission } = landing;
  const item = await awaiting(use, landing, wish.id);
  if (item.look !== null) return keepAfterLook(use, landing, item, wish.body);
  if (wish.body !== undefined) checkBody(item.tier, wish.body);
  const all = await use.memory.ofKey(tx, item.workspace, item, item.key ?? '');
  const current = inForce(all, submission.at);
  if (!(wish.anyway || submission.accepted?.despiteChanges)) checkBase(item, current, submission);
  const accepted: MemoryItem = {
    ...item,
    body: wish.body ?? item.body,
    lifecycle: 'canonical',
    version: item.version + 1,
    updatedAt: submission.at,
    landedAt: submission.at,
    // What was proposed before but is accepted now holds from now, unless it spoke of another time itself.
    validFrom: item.validFrom === item.createdAt ? submission.at : item.validFrom,
  };
  if (current && isSame(current, accepted)) {
    // It says what holds already: that is better known now, and a second one is of no use to anybody.
    await closeReview(use, landing, item, 'accepted', 'known already');
    await use.memory.remove(tx, [item.id]);
    await recordMemory(use, landing, 'memory_reviewed', [item], { decision: 'known' });
    return countAgain(use, landing, current);
  }
  await use.memory.save(tx, accepted, tokensOf(accepted));
  await closeReview(use, landing, accepted, 'accepted');
  const superseded = await settleKey(use, landing, accepted);
  await recordMemory(use, landing, 'memory_reviewed', [accepted], { decision: 'accepted' });
  await recordMemory(use, landing, 'memory_superseded', superseded, { by: accepted.id });
  const [kept = accepted] = await use.memory.find(tx, item.workspace, [item.id]);
  return { item: kept, outcome: 'written', superseded: superseded.map(({ id }) => id), evicted: [] };
}

export async function rejectItem(
  use: MemoryMeans,
  ticket: WriteTicket,
  wish: { readonly id: string; readonly reason?: string | undefined },
): Promise<MemoryItem> {
  const landing = requireTicket(ticket, 'memory', 'land');
  const item = await awaiting(use, landing, wish.id);
  await closeReview(use, landing, item, 'rejected', wish.reason ?? null);
  return reject(use, landing, item, wish.reason);
}

/** A no that was said on the list of proposals. */
export async function rejectedProposal(
  use: MemoryMeans,
  landing: Landing,
  proposal: Proposal,
  reason: string | undefined,
): Promise<void> {
  const [first] = proposal.concerns;
  if (first?.kind !== 'memory' || proposal.op !== REVIEW) return;
  const [item] = await use.memory.find(landing.tx, proposal.workspace, [first.id as MemoryId]);
  if (item && item.trashedAt === null) await reject(use, landing, item, reason);
}

async function reject(
  use: MemoryMeans,
  landing: Landing,
  item: MemoryItem,
  reason: string | undefined,
): Promise<MemoryItem> {
  const { at } = landing.submission;
  if (item.look !== null) {
    await forget(use, landing, item.workspace, [{ ...item, look: null }], false);
    return { ...item, look: null, trashedAt: at };
  }
  const rejected = { ...item, trashedAt: at, version: item.version + 1, updatedAt: at };
  await use.memory.save(landing.tx, rejected);
  await recordMemory(use, landing, 'memory_reviewed', [rejected], {
    decision: 'rejected',
    ...(reason !== undefined && { reason }),
  });
  return rejected;
}

async function awaiting(use: MemoryMeans, { tx, submission }: Landing, id: string): Promise<MemoryItem> {
  requireReviewer(submission);
  const item = await visibleItem(
    use,
    tx,
    workspaceOf(submission),
    viewerOf(submission.caller),
    id as MemoryId,
  );
  requireAwaiting(item);
  return item;
}

function checkBase(
  { id, base }: MemoryItem,
  current: MemoryItem | undefined,
  { accepted }: Submission,
): void {
  if (base === null ? current === undefined : base.id === current?.id && base.version === current.version)
    return;
  const word = accepted ? 'despite_changes' : 'anyway';
  const what = `Since "${id}" was proposed, what it would replace has changed; "${word}" accepts it all the same`;
  throw new SluiceError('conflict', what, {
    reason: 'base',
    memory: id,
    ...(current && { current: { id: current.id, body: current.body } }),
  });
}
