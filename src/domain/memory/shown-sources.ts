/** What an item was made from, as far as it exists for whoever asks; a page out of sight is no source to speak of. */
import type { PageId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../../kernel/submission.ts';
import type { MemoryMeans } from './means.ts';
import type { MemoryItem } from './memory-item.ts';
import type { Viewer } from './ports/memory-store.ts';
import { isVisible } from './viewer.ts';

export async function shownSources(
  use: Pick<MemoryMeans, 'memory' | 'pages'>,
  scope: ReadScope,
  { workspace, sources }: MemoryItem,
  viewer: Viewer,
): Promise<readonly EntityVersion[]> {
  const idsOf = <Id extends string>(kind: EntityVersion['kind']): Id[] =>
    sources.filter((source) => source.kind === kind).map(({ id }) => id as Id);
  const pages = await use.pages.headers(scope, workspace, idsOf<PageId>('page'));
  const items = await use.memory.find(scope, workspace, idsOf<MemoryItem['id']>('memory'));
  const seen = new Set<string>([
    ...pages.map(({ id }) => id),
    ...items.filter((item) => isVisible(item, viewer)).map(({ id }) => id),
  ]);
  return sources.filter(({ id }) => seen.has(id));
}

/** What took over from an item is named only to who may know it; that the item is over is said to everybody. */
export async function withShownSuccessors(
  use: Pick<MemoryMeans, 'memory'>,
  scope: ReadScope,
  items: readonly MemoryItem[],
): Promise<readonly MemoryItem[]> {
  const [first] = items;
  const successors = new Set(items.flatMap(({ supersededBy }) => supersededBy ?? []));
  if (!first || successors.size === 0) return items;
  const found = await use.memory.find(scope, first.workspace, [...successors]);
  const known = new Set(found.map(({ id }) => id));
  return items.map((item) =>
    item.supersededBy === null || known.has(item.supersededBy) ? item : { ...item, supersededBy: null },
  );
}
