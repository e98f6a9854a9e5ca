/** Puts what happened to items into the workspace's log: which they are and what became of them, never what they say. */
import type { Landing } from '../../kernel/ticket.ts';
import { workspaceOf } from '../workspace/page-rules.ts';
import type { EventKind } from '../workspace/ports/event-log.ts';
import { recordChange } from '../workspace/record-change.ts';
import type { MemoryMeans } from './means.ts';
import type { MemoryItem } from './memory-item.ts';

type MemoryEvent = Extract<EventKind, `memory_${string}`>;

/** A thread's scratch paper is no part of anybody's history. */
export async function recordMemory(
  use: Pick<MemoryMeans, 'events'>,
  landing: Landing,
  kind: MemoryEvent,
  items: readonly MemoryItem[],
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const kept = items.filter((item) => item.tier !== 'working');
  if (kept.length === 0) return;
  await recordChange(
    use,
    landing,
    workspaceOf(landing.submission),
    kept.map(({ id, tier, version }) => ({
      kind,
      page: null,
      beforeVersion: null,
      afterVersion: String(version),
      details: { memory: id, tier, ...details },
    })),
  );
}
