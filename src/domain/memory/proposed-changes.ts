/** What proposals about memory would do, in the words that hold and the words that would. */
import type { Caller } from '../../kernel/caller.ts';
import type { MemoryId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { OtherChange, ProposedChange } from '../workspace/ports/other-candidates.ts';
import type { Concern, Proposal } from '../workspace/proposals/proposal.ts';
import type { MemoryMeans } from './means.ts';
import type { MemoryItem } from './memory-item.ts';
import { isVisible, viewerOf } from './viewer.ts';
import { inForce, versionOf } from './write-statement.ts';

type Means = Pick<MemoryMeans, 'memory'>;

/** A candidate is overtaken when something else holds than when it was written; other changes by `if_match` alone. */
export async function memoryOverlaps(
  use: Means,
  scope: ReadScope,
  proposal: Proposal,
  now: number,
): Promise<boolean> {
  const items = await itemsOf(use, scope, proposal);
  const [first] = items.values();
  if (!first) return false;
  if (isCandidate(proposal)) return isOvertaken(first, await heldInstead(use, scope, first, now));
  const strict = proposal.arguments.if_match;
  return strict !== undefined && strict !== versionOf(first);
}

export async function memoryChanges(
  use: Means,
  scope: ReadScope,
  caller: Caller,
  proposal: ProposedChange,
  now: number,
): Promise<readonly OtherChange[]> {
  const items = await itemsOf(use, scope, proposal);
  const viewer = viewerOf(caller);
  const changes: OtherChange[] = [];
  for (const concern of proposal.concerns) {
    const item = items.get(concern.id);
    if (!item || !isVisible(item, viewer)) continue;
    const held = isCandidate(proposal) ? await heldInstead(use, scope, item, now) : item;
    const shown = held && isVisible(held, viewer) ? held : undefined;
    changes.push({
      id: item.id,
      title: titleOf(item),
      before: shown?.body ?? null,
      after: wordsAfter(proposal, item, items),
      changedSince: isCandidate(proposal) ? isOvertaken(item, held) : hasMoved(item, concern),
      open: item.scope === 'workspace',
    });
  }
  return changes;
}

const isCandidate = ({ id, concerns }: ProposedChange): boolean => concerns[0]?.id === (id as string);

const isOvertaken = ({ base }: MemoryItem, held: MemoryItem | undefined): boolean =>
  base?.id !== held?.id || base?.version !== held?.version;

const hasMoved = (item: MemoryItem, { version }: Concern): boolean =>
  item.trashedAt !== null || String(item.version) !== version;

async function heldInstead(
  use: Means,
  scope: ReadScope,
  item: MemoryItem,
  now: number,
): Promise<MemoryItem | undefined> {
  return inForce(await use.memory.ofKey(scope, item.workspace, item, item.key ?? ''), now);
}

async function itemsOf(
  use: Means,
  scope: ReadScope,
  { workspace, concerns }: ProposedChange,
): Promise<ReadonlyMap<string, MemoryItem>> {
  const ids = concerns.flatMap(({ kind, id }) => (kind === 'memory' ? [id as MemoryId] : []));
  const found = ids.length === 0 ? [] : await use.memory.find(scope, workspace, ids);
  const known = new Map<string, MemoryItem>(found.map((item) => [item.id, item]));
  return new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id) as MemoryItem]] : [])));
}

function wordsAfter(
  { op, arguments: given }: ProposedChange,
  item: MemoryItem,
  items: ReadonlyMap<string, MemoryItem>,
): string | null {
  if (op === 'memory_forget') return null;
  if (op === 'memory_supersede' && item.id === given.old) return items.get(String(given.new))?.body ?? null;
  return typeof given.body === 'string' ? given.body : item.body;
}

function titleOf({ tier, subject, predicate, name }: MemoryItem): string {
  const about = [subject ?? name, predicate].filter((text) => text !== null).join(' ');
  return about === '' ? `${tier} memory` : about;
}
