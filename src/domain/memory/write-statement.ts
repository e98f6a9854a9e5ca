/**
 * Facts and ways of doing things. What holds already is only counted once more; a different statement under the same
 * key takes over, and what it takes over from is kept. What needs a person waits, and changes nothing until then.
 */
import { SluiceError } from '../../kernel/errors.ts';
import type { Landing } from '../../kernel/ticket.ts';
import { sameStatement } from './item-rules.ts';
import { tokensOf } from './make-item.ts';
import type { MemoryMeans } from './means.ts';
import { endOf, type MemoryItem } from './memory-item.ts';
import { putUpCandidate } from './put-up-for-review.ts';
import { recordMemory } from './record-memory.ts';
import { settleKey } from './settle-key.ts';
import { inOrder } from './timeline.ts';
import type { Written } from './write-working.ts';

/** Nobody reviews more than this; whoever has so much waiting has to wait as well. */
export const MOST_AWAITING = 500;

export async function writeStatement(
  use: MemoryMeans,
  landing: Landing,
  item: MemoryItem,
  baseVersion?: string,
): Promise<Written> {
  const { tx, submission } = landing;
  const all = await use.memory.ofKey(tx, item.workspace, item, item.key ?? '');
  const current = inForce(all, item.validFrom);
  checkBase(inForce(all, submission.at), baseVersion);
  const twin = [...(current ? [current] : []), ...all.filter((one) => isOwnCandidate(one, item))].find(
    (one) => isSame(one, item),
  );
  if (twin) return countAgain(use, landing, twin);
  return landStatement(use, landing, item, inForce(all, submission.at));
}

/** `held` is what is in force now: what the review of a candidate will be about. */
export async function landStatement(
  use: MemoryMeans,
  landing: Landing,
  item: MemoryItem,
  held: MemoryItem | undefined,
): Promise<Written> {
  const { tx } = landing;
  if (item.lifecycle === 'canonical') return land(use, landing, item);
  if ((await use.memory.countAwaiting(tx, item.workspace, item.owner)) >= MOST_AWAITING) {
    const what = `${item.ownerName} has ${MOST_AWAITING} memories waiting for review; a person has to look at them first`;
    throw new SluiceError('conflict', what, { reason: 'full' });
  }
  const candidate = { ...item, base: held ? { id: held.id, version: held.version } : null };
  await use.memory.insert(tx, candidate, tokensOf(candidate));
  await putUpCandidate(use, landing, candidate);
  await recordMemory(use, landing, 'memory_written', [candidate], { awaits: 'review' });
  return { item: candidate, outcome: 'candidate', superseded: [], evicted: [] };
}

/** Of the reviewed ones, the one that holds at the time. */
export function inForce(items: readonly MemoryItem[], at: number): MemoryItem | undefined {
  return inOrder(items.filter((item) => item.lifecycle === 'canonical'))
    .toReversed()
    .find((item) => item.validFrom <= at && (endOf(item) ?? Number.POSITIVE_INFINITY) > at);
}

async function land(use: MemoryMeans, landing: Landing, item: MemoryItem): Promise<Written> {
  await use.memory.insert(landing.tx, item, tokensOf(item));
  const superseded = await settleKey(use, landing, item);
  await recordMemory(use, landing, 'memory_written', [item]);
  await recordMemory(use, landing, 'memory_superseded', superseded, { by: item.id });
  const [kept = item] = await use.memory.find(landing.tx, item.workspace, [item.id]);
  return { item: kept, outcome: 'written', superseded: superseded.map(({ id }) => id), evicted: [] };
}

/** Being told again what is known makes it no newer, only better known. */
export async function countAgain(
  use: MemoryMeans,
  { tx, submission }: Landing,
  known: MemoryItem,
): Promise<Written> {
  const item = { ...known, useCount: known.useCount + 1, lastUsedAt: submission.at };
  await use.memory.save(tx, item);
  return { item, outcome: 'duplicate', superseded: [], evicted: [] };
}

const isOwnCandidate = (one: MemoryItem, { owner, lifecycle }: MemoryItem): boolean =>
  lifecycle !== 'canonical' && one.lifecycle !== 'canonical' && one.owner === owner;

/** A different end makes it a different statement. */
export const isSame = (one: MemoryItem, other: MemoryItem): boolean =>
  one.validTo === other.validTo &&
  one.description === other.description &&
  (one.tier === 'procedural' ? one.body === other.body : sameStatement(one.body, other.body));

function checkBase(current: MemoryItem | undefined, baseVersion: string | undefined): void {
  const version = current ? versionOf(current) : 'none';
  if (baseVersion === undefined || baseVersion === version) return;
  throw new SluiceError('conflict', 'What holds now is not what the writer has seen', {
    field: 'base_version',
    reason: 'version',
    version,
  });
}

/** Names the item as well, because another one may hold by now. */
export const versionOf = ({ id, version }: MemoryItem): string => `${id}.${version}`;
