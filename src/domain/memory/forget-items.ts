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

/** Without asking who may: for callers who did. */
export async function forget(
  use: MemoryMeans,
  landing: Landing,
  workspace: WorkspaceId,
  items: readonly MemoryItem[],
  dryRun: boolean,
  note = 'forgotten',
): Promise<Forgotten> {
  const derived = await derivedFrom(use, landing.tx, workspace, items);
  const gone = [...items, ...derived.flatMap((one) => (one.becomes === 'forgotten' ? [one.item] : []))];
  const revived = await revivedBy(use, landing.tx, workspace, gone);
  if (!dryRun) {
    await trash(use, landing, gone, note);
    for (const { item, becomes } of derived)
      if (becomes === 'unsupported') await change(use, landing, item, { unsupported: true });
  }
  return { items, derived, revived };
}

async function trash(
  use: MemoryMeans,
  landing: Landing,
  items: readonly MemoryItem[],
  note: string,
): Promise<void> {
  const { tx, submission } = landing;
  const scratch = items.filter(({ tier }) => tier === 'working');
  await use.memory.remove(
    tx,
    scratch.map(({ id }) => id),
  );
  for (const item of items) {
    if (item.tier === 'working') continue;
    if (awaitsReview(item)) await closeReview(use, landing, item, 'rejected', note);
    const ending = { endedAt: null, supersededBy: null, replaced: false };
    await change(use, landing, item, {
      trashedAt: submission.at,
      ...(item.supersededBy === null ? {} : ending),
    });
    for (const before of await use.memory.supersededBy(tx, item.workspace, [item.id]))
      if (before.replaced) await change(use, landing, before, ending);
  }
  for (const item of items) await settleKey(use, landing, item);
  await recordMemory(use, landing, 'memory_forgotten', items);
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

/** Without the items, what would no longer be ended. */
async function revivedBy(
  use: MemoryMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  items: readonly MemoryItem[],
): Promise<readonly MemoryId[]> {
  const gone = new Set(items.map(({ id }) => id));
  const revived = new Set<MemoryId>();
  for (const item of items) {
    if (item.key === null || item.tier === 'working') continue;
    const rest = (await use.memory.ofKey(scope, workspace, item, item.key)).filter(
      ({ id, lifecycle }) => !gone.has(id) && lifecycle === 'canonical',
    );
    for (const { id, supersededBy } of endings(rest)) if (supersededBy === null) revived.add(id);
  }
  for (const item of await use.memory.supersededBy(scope, workspace, [...gone]))
    if (item.replaced && !gone.has(item.id)) revived.add(item.id);
  return [...revived];
}
