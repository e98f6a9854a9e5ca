/**
 * Tells what changed in workspaces: in a home of its own after the commit, on a shared database by reading the log
 * of events, so that changes of other gateways are told as well and each is told once.
 */
import type { EventLog, NewEvent } from '../domain/workspace/ports/event-log.ts';
import { concernsReview, REVIEW_QUEUE } from '../domain/workspace/proposals/review-queue.ts';
import type { LiveDirectory } from '../domain/workspace/workspaces.ts';
import type { WorkspaceId } from '../kernel/ids.ts';
import { faultFields, type Log } from '../kernel/log.ts';
import type { ChangeFeed, EntityChange } from '../kernel/ports/change-feed.ts';
import type { UnitOfWork } from '../kernel/ports/unit-of-work.ts';
import type { Origin } from '../kernel/submission.ts';

export interface LiveFeed extends ChangeFeed {
  tell(change: EntityChange): void;
}

export function createChangeFeed(): LiveFeed {
  const listeners = new Set<(change: EntityChange) => void>();
  return {
    tell(change) {
      for (const listener of listeners) listener(change);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The same log; what is appended is told once its unit is durable. */
export function tellingEvents(events: EventLog, feed: LiveFeed): EventLog {
  return {
    ...events,
    async append(tx, workspace, actor, at, added) {
      tx.afterCommit(() => {
        for (const event of added) tellOf(feed, workspace, event, actor.origin);
      });
      return events.append(tx, workspace, actor, at, added);
    },
  };
}

const EVERY_MS = 250;
const AT_ONCE = 500;

/** Reads on from where it was; what was there before it began is no change. */
export function followEvents(use: {
  readonly events: EventLog;
  readonly units: UnitOfWork;
  readonly directory: LiveDirectory;
  readonly feed: LiveFeed;
  readonly log: Log;
}): () => Promise<void> {
  const seen = new Map<WorkspaceId, number>();
  const look = async (): Promise<void> => {
    for (const { id, open } of use.directory.all()) if (open) await readOn(use, seen, id);
  };
  let running = look().catch(() => undefined);
  const timer = setInterval(() => {
    running = running
      .then(look)
      .catch((error: unknown) => use.log.warn('events_not_followed', faultFields(error)));
  }, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function readOn(
  use: { readonly events: EventLog; readonly units: UnitOfWork; readonly feed: LiveFeed },
  seen: Map<WorkspaceId, number>,
  workspace: WorkspaceId,
): Promise<void> {
  const after = seen.get(workspace);
  if (after === undefined) {
    seen.set(workspace, await use.units.read((scope) => use.events.newest(scope, workspace)));
    return;
  }
  const events = await use.units.read((scope) => use.events.ofWorkspace(scope, workspace, AT_ONCE, after));
  seen.set(workspace, events.at(-1)?.sequence ?? after);
  for (const event of events) tellOf(use.feed, workspace, event, event.origin);
}

/** What waits for review is something to follow besides the page it is about. */
function tellOf(feed: LiveFeed, workspace: WorkspaceId, { kind, page }: NewEvent, origin: Origin): void {
  feed.tell({ workspace, entity: page });
  if (concernsReview(kind, origin)) feed.tell({ workspace, entity: REVIEW_QUEUE });
}
