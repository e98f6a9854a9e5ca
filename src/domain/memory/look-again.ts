/**
 * Asks a person to look again at a way of doing things that keeps failing or that nobody uses: a yes keeps it, a no
 * forgets it. It is asked once, on the list of proposals, and only as long as there is a reason to.
 */
import { invalidInput } from '../../kernel/errors.ts';
import type { ProposalId } from '../../kernel/ids.ts';
import type { Landing } from '../../kernel/ticket.ts';
import type { MemoryMeans } from './means.ts';
import { isStale, type MemoryItem, statusOf } from './memory-item.ts';
import { closeReview, putUpForReview, REVIEW, shortened } from './put-up-for-review.ts';
import { recordMemory } from './record-memory.ts';
import type { Written } from './write-working.ts';

type LookMeans = Pick<MemoryMeans, 'proposals' | 'ids'>;

export const wantsLook = (item: MemoryItem, at: number): boolean =>
  item.tier === 'procedural' && statusOf(item, at) === 'active' && isStale(item, at);

/** The item as it is to be kept: with the question that is open about it, or without the one that is settled. */
export async function settleLook(use: LookMeans, landing: Landing, item: MemoryItem): Promise<MemoryItem> {
  const wanted = wantsLook(item, landing.submission.at);
  if (wanted === (item.look !== null)) return item;
  return wanted ? askForLook(use, landing, item) : endLook(use, landing, item);
}

async function askForLook(use: LookMeans, landing: Landing, item: MemoryItem): Promise<MemoryItem> {
  const look = use.ids.next<ProposalId>();
  const why =
    item.failures > 0 ? `failed ${item.failures} times in a row` : 'was not used for at least 90 days';
  await putUpForReview(use, landing, item, {
    id: look,
    op: REVIEW,
    arguments: { id: item.id, decision: 'accept' },
    summary: shortened(`Keep the procedural memory "${item.name}"? It ${why}; a no forgets it`),
  });
  return { ...item, look };
}

/** There is no reason to ask any more. */
export async function endLook(
  use: Pick<MemoryMeans, 'proposals'>,
  landing: Landing,
  item: MemoryItem,
): Promise<MemoryItem> {
  if (item.look === null) return item;
  await closeReview(use, landing, item, 'expired', 'nothing to ask any more');
  return { ...item, look: null };
}

/** A person's yes: it counts as used now, and as never failed. */
export async function keepAfterLook(
  use: MemoryMeans,
  landing: Landing,
  item: MemoryItem,
  body: string | undefined,
): Promise<Written> {
  if (body !== undefined && body !== item.body)
    throw invalidInput(
      'body',
      'cannot change here what was accepted before; memory_update gives it new words',
    );
  await closeReview(use, landing, item, 'accepted');
  const kept = { ...item, look: null, failures: 0, lastUsedAt: landing.submission.at };
  await use.memory.save(landing.tx, kept);
  await recordMemory(use, landing, 'memory_reviewed', [kept], { decision: 'kept' });
  return { item: kept, outcome: 'overwritten', superseded: [], evicted: [] };
}
