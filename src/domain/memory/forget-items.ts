/**
 * Forgets items: into the trash, from where they can be had back for a while; what a thread had on its scratch paper is
 * gone at once. What was in force before holds again, and what was derived from the forgotten is looked at again.
 */
import type { MemoryId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { workspaceOf } from '../workspace/page-rules.ts';
import { requireMayChangeItem } from './may-change.ts';
import type { MemoryMeans } from './means.ts';
import { awaitsReview, type MemoryItem } from './memory-item.ts';
import { closeReview } from './put-up-for-review.ts';
import { recordMemory } from './record-memory.ts';
import { settleKey } from './settle-key.ts';
import { endings } from './timeline.ts';
import { viewerOf, visibleItems } from './viewer.ts';

/** Something that was made from what is forgotten, and what becomes of it. */
export interface Derived {
  readonly item: MemoryItem;
  /** How many of its sources are left. */
  readonly left: number;
  readonly becomes: 'supported' | 'unsupported' | 'forgotten';
}

export interface Forgotten {
  readonly items: readonly MemoryItem[];
  readonly derived: readonly Derived[];
  /** What holds again. */
  readonly revived: readonly MemoryId[];
}

export async function forgetItems(
  use: MemoryMeans,
  ticket: WriteTicket,
  wanted: { readonly ids: readonly string[]; readonly dryRun: boolean },
): Promise<Forgotten> {
  const landing = requireTicket(ticket, 'memory', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const named = await visibleItems(use, tx, workspace, viewerOf(submission.caller), wanted.ids, 'ids');
  const items = named.filter((item) => item.trashedAt === null);
  if (!wanted.dryRun) requireMayChangeItem(submission, items);
  return forget(use, landing, workspace, items, wanted.dryRun);
}

/** Whoever calls has asked whether the items may be changed. */
export async function forget(
  use: MemoryMeans,
  landing: Landing,
  workspace: WorkspaceId,
  items: readonly MemoryItem[],
  dryRun: boolean,
): Promise<Forgotten> {
  const derived = await derivedFrom(use, landing.tx, workspace, items);
  const gone = [...items, ...derived.flatMap((one) => (one.becomes === 'forgotten' ? [one.item] : []))];
  const revived = await revivedBy(use, landing.tx, workspace, gone);
  if (!dryRun) {
    await trash(use, landing, gone);
    for (const { item, becomes } of derived)
      if (becomes === 'unsupported') await change(use, landing, item, { unsupported: true });
  }
  return { items, derived, revived };
}

async function trash(use: MemoryMeans, landing: Landing, items: readonly MemoryItem[]): Promise<void> {
  const { tx, submission } = landing;
  const [scratch, lasting] = [items.filter(isScratch), items.filter((item) => !isScratch(item))];
  const replaced = await replacedBy(use, tx, lasting);
  await use.memory.remove(
    tx,
    scratch.map(({ id }) => id),
  );
  for (const item of lasting) {
    if (awaitsReview(item) || item.look !== null)
      await closeReview(use, landing, item, 'rejected', 'forgotten');
    await change(use, landing, item, { ...UNENDED, look: null, trashedAt: submission.at });
  }
  for (const item of replaced) await change(use, landing, item, UNENDED);
  for (const item of [...lasting, ...replaced]) await settleKey(use, landing, item);
  await recordMemory(use, landing, 'memory_forgotten', items);
}

const UNENDED = { endedAt: null, supersededBy: null, replaced: false } as const;

const isScratch = ({ tier }: MemoryItem): boolean => tier === 'working';

/** What others were said to hold instead of, and nobody says so any more. */
async function replacedBy(
  use: MemoryMeans,
  scope: ReadScope,
  items: readonly MemoryItem[],
): Promise<readonly MemoryItem[]> {
  const [first] = items;
  if (!first) return [];
  const gone = items.map(({ id }) => id);
  const ended = await use.memory.supersededBy(scope, first.workspace, gone);
  return ended.filter((item) => item.replaced && item.trashedAt === null && !gone.includes(item.id));
}

async function change(
  use: MemoryMeans,
  { tx, submission }: Landing,
  { id, workspace }: MemoryItem,
  changed: Partial<MemoryItem>,
): Promise<void> {
  const [item] = await use.memory.find(tx, workspace, [id]);
  if (item)
    await use.memory.save(tx, { ...item, ...changed, version: item.version + 1, updatedAt: submission.at });
}

/** What waits for review and has nothing left to stand on is forgotten with it; what was accepted is only marked. */
async function derivedFrom(
  use: MemoryMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  items: readonly MemoryItem[],
): Promise<readonly Derived[]> {
  const gone = new Set<string>(items.map(({ id }) => id));
  const found = await use.memory.derivedFrom(scope, workspace, [...gone] as MemoryId[]);
  const derived: Derived[] = [];
  for (const item of found) {
    if (gone.has(item.id)) continue;
    const own = item.sources.flatMap((source) => (source.kind === 'memory' ? [source.id as MemoryId] : []));
    const live = (await use.memory.find(scope, workspace, own)).filter(
      ({ id, trashedAt }) => trashedAt === null && !gone.has(id),
    );
    const left = live.length + item.sources.length - own.length;
    const becomes = left > 0 ? 'supported' : awaitsReview(item) ? 'forgotten' : 'unsupported';
    derived.push({ item, left, becomes });
  }
  return derived;
}

/** What is ended now and would not be without the items. */
async function revivedBy(
  use: MemoryMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  items: readonly MemoryItem[],
): Promise<readonly MemoryId[]> {
  const lasting = items.filter((item) => !isScratch(item));
  const gone = new Set(lasting.map(({ id }) => id));
  const reopened = await replacedBy(use, scope, lasting);
  const open = new Set(reopened.map(({ id }) => id));
  const revived = new Set<MemoryId>();
  for (const { key, ...place } of [...lasting, ...reopened]) {
    if (key === null) continue;
    const line = (await use.memory.ofKey(scope, workspace, place, key))
      .filter(({ id, lifecycle }) => !gone.has(id) && lifecycle === 'canonical')
      .map((item) => (open.has(item.id) ? { ...item, replaced: false } : item));
    for (const { id, supersededBy } of endings(line)) if (supersededBy === null) revived.add(id);
  }
  return [...revived];
}
