/**
 * Changes an item. New words for a fact or a way of doing things are a new item that takes over; an episode's words
 * never change. Reporting a use changes no version, so that it spoils nobody's `if_match`.
 */
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { workspaceOf } from '../workspace/page-rules.ts';
import { checkBody, checkLength } from './item-rules.ts';
import { settleLook } from './look-again.ts';
import { makeItem, tokensOf } from './make-item.ts';
import { requireMayChangeItem } from './may-change.ts';
import type { MemoryMeans } from './means.ts';
import { awaitsReview, MAX_DESCRIPTION, type MemoryItem, type Outcome } from './memory-item.ts';
import { reopenReview } from './put-up-for-review.ts';
import { recordMemory } from './record-memory.ts';
import { settleKey } from './settle-key.ts';
import { viewerOf, visibleItem } from './viewer.ts';
import { versionOf, writeStatement } from './write-statement.ts';
import { evictions, type Written } from './write-working.ts';

export interface ItemChange {
  readonly id: string;
  readonly ifMatch?: string | undefined;
  readonly body?: string | undefined;
  readonly description?: string | undefined;
  readonly confidence?: number | undefined;
  readonly validTo?: number | null | undefined;
  readonly pinned?: boolean | undefined;
  /** Out of the trash again. */
  readonly restore?: boolean | undefined;
  /** It was used, and whether it helped. */
  readonly outcome?: Outcome | undefined;
}

export async function updateItem(
  use: MemoryMeans,
  ticket: WriteTicket,
  change: ItemChange,
): Promise<Written> {
  const landing = requireTicket(ticket, 'memory', 'land');
  const { tx, submission } = landing;
  const viewer = viewerOf(submission.caller);
  const item = await visibleItem(use, tx, workspaceOf(submission), viewer, change.id);
  checkMatch(item, change.ifMatch);
  const used = change.outcome === undefined ? item : noteUse(item, change.outcome, submission.at);
  const { id: _, ifMatch: __, outcome: ___, ...wanted } = change;
  if (Object.values(wanted).every((value) => value === undefined)) {
    if (change.outcome === undefined) throw invalidInput('id', 'is given, but nothing to change about it');
    const kept = await settleLook(use, landing, used);
    await use.memory.save(tx, kept);
    return { item: kept, outcome: 'overwritten', superseded: [], evicted: [] };
  }
  requireMayChangeItem(submission, [item]);
  if (item.trashedAt !== null && change.restore !== true)
    throw new SluiceError('conflict', `The memory "${item.id}" is in the trash; restore it first`, {
      field: 'id',
    });
  checkWords(item, change);
  return isNewStatement(item, change)
    ? takeOver(use, landing, used, change)
    : alter(use, landing, used, change);
}

function checkMatch(item: MemoryItem, ifMatch: string | undefined): void {
  const version = versionOf(item);
  if (ifMatch === undefined || ifMatch === version) return;
  throw new SluiceError('conflict', `The memory "${item.id}" was changed since`, {
    field: 'if_match',
    reason: 'version',
    version,
  });
}

function noteUse(item: MemoryItem, outcome: Outcome, at: number): MemoryItem {
  const used = { ...item, useCount: item.useCount + 1, lastUsedAt: at };
  return outcome === 'success'
    ? { ...used, successes: item.successes + 1, failures: 0 }
    : { ...used, failed: item.failed + 1, failures: item.failures + 1 };
}

function checkWords(item: MemoryItem, { body, description }: ItemChange): void {
  if (body === undefined && description === undefined) return;
  if (item.tier === 'episodic')
    throw invalidInput(
      'body',
      'cannot change: what happened stays as it was told; write a new episode that corrects it',
    );
  if (body !== undefined) checkBody(item.tier, body);
  checkLength('description', description, MAX_DESCRIPTION);
}

const isNewStatement = (item: MemoryItem, { body, description }: ItemChange): boolean =>
  item.tier !== 'working' &&
  ((body !== undefined && body !== item.body) ||
    (description !== undefined && description !== item.description));

async function takeOver(
  use: MemoryMeans,
  landing: Landing,
  item: MemoryItem,
  { body, description, confidence, validTo, pinned }: ItemChange,
): Promise<Written> {
  const fresh = makeItem(
    use,
    landing.submission,
    {
      tier: item.tier,
      body: body ?? item.body,
      subject: item.subject ?? undefined,
      predicate: item.predicate ?? undefined,
      name: item.name ?? undefined,
      description: description ?? item.description ?? undefined,
      confidence: confidence ?? item.confidence,
      validTo: validTo ?? undefined,
      pinned: pinned ?? item.pinned,
    },
    { scope: item.scope, scopeKey: item.scopeKey, sources: item.sources },
  );
  return writeStatement(use, landing, fresh);
}

/** Also brings back what is in the trash. */
export async function alter(
  use: MemoryMeans,
  landing: Landing,
  item: MemoryItem,
  change: ItemChange,
): Promise<Written> {
  const { tx, submission } = landing;
  const validTo = change.validTo === undefined ? item.validTo : change.validTo;
  if (validTo !== null && validTo <= item.validFrom)
    throw invalidInput('valid_to', 'must lie after "valid_from"');
  const altered = {
    ...item,
    body: change.body ?? item.body,
    description: change.description ?? item.description,
    confidence: change.confidence ?? item.confidence,
    pinned: change.pinned ?? item.pinned,
    validTo,
    trashedAt: null,
    version: item.version + 1,
    updatedAt: submission.at,
  };
  await use.memory.save(tx, altered, tokensOf(altered));
  const evicted = item.tier === 'working' ? await makeRoom(use, landing, altered) : [];
  const superseded = await settleKey(use, landing, altered);
  if (item.trashedAt !== null) await supportAgain(use, landing, altered);
  if (item.trashedAt !== null && awaitsReview(altered)) await reopenReview(use, landing, altered);
  const kind = item.trashedAt === null ? 'memory_changed' : 'memory_restored';
  await recordMemory(use, landing, kind, [altered]);
  const [kept = altered] = await use.memory.find(tx, item.workspace, [item.id]);
  return { item: kept, outcome: 'overwritten', superseded: superseded.map(({ id }) => id), evicted };
}

async function makeRoom(use: MemoryMeans, { tx }: Landing, item: MemoryItem): Promise<Written['evicted']> {
  const evicted = evictions(await use.memory.ofThread(tx, item.workspace, item.scopeKey), item.id);
  await use.memory.remove(tx, evicted);
  return evicted;
}

/** What was made from something that is there again has something to stand on again. */
async function supportAgain(use: MemoryMeans, { tx, submission }: Landing, item: MemoryItem): Promise<void> {
  for (const derived of await use.memory.derivedFrom(tx, item.workspace, [item.id])) {
    if (!derived.unsupported) continue;
    const version = derived.version + 1;
    await use.memory.save(tx, { ...derived, unsupported: false, version, updatedAt: submission.at });
  }
}
