/** What of memory exists for a caller. Everything else is absent, in the same words. */
import type { Caller } from '../../kernel/caller.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { MemoryId, WorkspaceId } from '../../kernel/ids.ts';
import { mayReview } from '../../kernel/may-review.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { MemoryMeans } from './means.ts';
import { type MemoryItem, needsReview } from './memory-item.ts';
import type { Viewer } from './ports/memory-store.ts';

/** Under its principal, so that nobody can step into another's by naming it. */
const threadKey = (caller: Caller, thread: string): string => `thread:${caller.principal.id}/${thread}`;

export const jobKey = (job: string): string => `job:${job}`;

/** The thread a caller writes to: the one it names, else its job's, else its run's. */
export function threadOf(caller: Caller, thread: string | undefined = caller.context.thread): string {
  if (thread !== undefined) return threadKey(caller, thread);
  return caller.context.job === undefined ? `run:${caller.context.run}` : jobKey(caller.context.job);
}

/** `thread` is one of the caller's own besides the one the call came in. */
export function viewerOf(caller: Caller, thread?: string): Viewer {
  const { job, project } = caller.context;
  const threads = new Set([threadOf(caller, thread), ...(job === undefined ? [] : [jobKey(job)])]);
  return {
    principal: caller.principal.id,
    project: project ?? null,
    threads: [...threads],
    reviews: mayReview(caller) || caller.principal.kind === 'system',
  };
}

export function isVisible(item: MemoryItem, viewer: Viewer): boolean {
  const own = item.owner === viewer.principal;
  if (needsReview(item.tier) && item.lifecycle !== 'canonical' && !own && !viewer.reviews) return false;
  switch (item.scope) {
    case 'workspace':
      return true;
    case 'project':
      return viewer.reviews || item.scopeKey === viewer.project;
    case 'agent':
      return viewer.reviews || item.scopeKey === viewer.principal;
    case 'thread':
      return viewer.threads.includes(item.scopeKey);
  }
}

export const noSuchItem = (id: string, field = 'id'): SluiceError =>
  new SluiceError('not_found', `There is no memory "${id}"`, { field });

/** The items in the order they were asked for; one that is not there for this viewer fails them all. */
export async function visibleItems(
  use: Pick<MemoryMeans, 'memory'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  viewer: Viewer,
  ids: readonly string[],
  field = 'id',
): Promise<readonly MemoryItem[]> {
  const found = await use.memory.find(scope, workspace, ids as readonly MemoryId[]);
  const known = new Map<string, MemoryItem>(found.map((item) => [item.id, item]));
  return [...new Set(ids)].map((id) => {
    const item = known.get(id);
    if (!item || !isVisible(item, viewer)) throw noSuchItem(id, field);
    return item;
  });
}

export async function visibleItem(
  use: Pick<MemoryMeans, 'memory'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  viewer: Viewer,
  id: string,
  field = 'id',
): Promise<MemoryItem> {
  const [item] = await visibleItems(use, scope, workspace, viewer, [id], field);
  if (!item) throw noSuchItem(id, field);
  return item;
}
