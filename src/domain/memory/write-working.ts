/** The scratch paper of one thread: written over in place, bounded, and nobody's canon, so that it needs no review. */
import { SluiceError } from '../../kernel/errors.ts';
import type { MemoryId } from '../../kernel/ids.ts';
import type { Landing } from '../../kernel/ticket.ts';
import type { NewItem } from './item-rules.ts';
import { makeItem, tokensOf } from './make-item.ts';
import type { MemoryMeans } from './means.ts';
import { type MemoryItem, sizeOf, WORKING_BYTES, WORKING_ITEMS } from './memory-item.ts';

export interface Written {
  readonly item: MemoryItem;
  readonly outcome: 'written' | 'overwritten' | 'duplicate' | 'candidate';
  readonly superseded: readonly MemoryId[];
  readonly evicted: readonly MemoryId[];
}

export async function writeWorking(use: MemoryMeans, landing: Landing, wanted: NewItem): Promise<Written> {
  const { tx, submission } = landing;
  const fresh = makeItem(use, submission, wanted);
  const thread = await use.memory.ofThread(tx, fresh.workspace, fresh.scopeKey);
  const before = fresh.key === null ? undefined : thread.find(({ key }) => key === fresh.key);
  const item = before ? overwritten(before, fresh) : fresh;
  const evicted = evictions([...thread.filter(({ id }) => id !== item.id), item], item.id);
  if (before) await use.memory.save(tx, item, tokensOf(item));
  else await use.memory.insert(tx, item, tokensOf(item));
  await use.memory.remove(tx, evicted);
  return { item, outcome: before ? 'overwritten' : 'written', superseded: [], evicted };
}

const overwritten = (before: MemoryItem, fresh: MemoryItem): MemoryItem => ({
  ...fresh,
  id: before.id,
  sources: before.sources,
  createdAt: before.createdAt,
  version: before.version + 1,
});

/** Oldest first, until what stays is within both bounds. */
export function evictions(thread: readonly MemoryItem[], keep: MemoryId): readonly MemoryId[] {
  const evicted: MemoryId[] = [];
  let items = thread.length;
  let bytes = thread.reduce((sum, item) => sum + sizeOf(item), 0);
  for (const item of thread.toSorted((a, b) => a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1))) {
    if (items <= WORKING_ITEMS && bytes <= WORKING_BYTES) break;
    if (item.pinned || item.id === keep) continue;
    evicted.push(item.id);
    items -= 1;
    bytes -= sizeOf(item);
  }
  if (items <= WORKING_ITEMS && bytes <= WORKING_BYTES) return evicted;
  throw new SluiceError(
    'conflict',
    `Working memory holds ${WORKING_ITEMS} items and ${WORKING_BYTES} bytes a thread, and what is pinned leaves no room; forget some of it`,
    { field: 'body', reason: 'full' },
  );
}
