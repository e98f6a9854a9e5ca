/** The history of a statement: everything that was said about the same thing in the same place. */
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { MemoryMeans } from './means.ts';
import { type MemoryItem, needsReview } from './memory-item.ts';
import type { Viewer } from './ports/memory-store.ts';
import { inOrder } from './timeline.ts';
import { isVisible } from './viewer.ts';

const LONGEST = 100;

export async function lineOf(
  use: Pick<MemoryMeans, 'memory'>,
  scope: ReadScope,
  item: MemoryItem,
  viewer: Viewer,
): Promise<readonly MemoryItem[]> {
  if (item.key === null || !needsReview(item.tier)) return [];
  const all = await use.memory.ofKey(scope, item.workspace, item, item.key, 'with trash');
  return inOrder(all.filter((one) => isVisible(one, viewer))).slice(-LONGEST);
}
