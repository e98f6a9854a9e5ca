/** Brings the endings of all items with one key up to date, in the unit of the change that made it necessary. */
import type { MemoryId } from '../../kernel/ids.ts';
import type { Landing } from '../../kernel/ticket.ts';
import { endLook } from './look-again.ts';
import type { MemoryMeans } from './means.ts';
import type { MemoryItem } from './memory-item.ts';
import { endings } from './timeline.ts';

/** Answers the items that another one holds instead of now, and did not before. */
export async function settleKey(
  use: MemoryMeans,
  landing: Landing,
  of: MemoryItem,
): Promise<readonly MemoryItem[]> {
  const { tx, submission } = landing;
  if (of.key === null) return [];
  const all = await use.memory.ofKey(tx, of.workspace, of, of.key);
  const known = new Map<MemoryId, MemoryItem>(all.map((item) => [item.id, item]));
  const superseded: MemoryItem[] = [];
  for (const ending of endings(all.filter((item) => item.lifecycle === 'canonical'))) {
    const before = known.get(ending.id);
    if (!before) continue;
    const asked = ending.endedAt === null ? before : await endLook(use, landing, before);
    const item = { ...asked, ...ending, version: before.version + 1, updatedAt: submission.at };
    await use.memory.save(tx, item);
    if (before.supersededBy === null && item.supersededBy !== null) superseded.push(item);
  }
  return superseded;
}
