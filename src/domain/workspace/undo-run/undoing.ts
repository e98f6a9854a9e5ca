/** What taking a run back works with: the same means, under a run of its own, and a look at what others did since. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { WorkspaceEvent } from '../ports/event-log.ts';
import type { Attribution } from '../ports/provenance-store.ts';

/** The bytes of files that went. */
export interface FormerBlobs {
  has(digest: string): boolean;
  /** Whether the caller has sent them. */
  wasSent(digest: string): boolean;
  /** How long they are kept at least after the last file of them went. */
  readonly keptMs: number;
}

export interface Undoing {
  /** What is landed through these belongs to the undoing's own run. */
  readonly use: WorkspaceMeans;
  readonly landing: Landing;
  readonly workspace: WorkspaceId;
  readonly run: string;
  /** The undoing's own. */
  readonly own: string;
  /** The run that all undoing and redoing of it began with. */
  readonly root: string;
  readonly blobs: FormerBlobs;
}

/** Every event of the undoing says what it undoes, so that undoing it again is not taken for somebody else's work. */
export function undoingMeans(use: WorkspaceMeans, run: string, root: string): WorkspaceMeans {
  const { events } = use;
  return {
    ...use,
    events: {
      ...events,
      append: (tx, workspace, actor, at, added) => {
        const marked = added.map((event) => ({ ...event, details: { ...event.details, undo_of: root } }));
        return events.append(tx, workspace, { ...actor, run }, at, marked);
      },
    },
  };
}

export const rootOf = (run: string, events: readonly WorkspaceEvent[]): string => {
  const root = events.find((event) => typeof event.details.undo_of === 'string')?.details.undo_of;
  return typeof root === 'string' && events.every((event) => event.details.undo_of === root) ? root : run;
};

export const isOwn = ({ run, root }: Undoing, event: WorkspaceEvent): boolean =>
  event.run === run || event.run === root || event.details.undo_of === root;

export const isOwnAttribution = ({ run, root }: Undoing, one: Attribution | undefined): boolean =>
  one !== undefined && (one.run === run || one.run === root || one.undoes === root);

const EVENTS_AT_ONCE = 100;

/** The newest thing that somebody else did to the page after that, of the kinds that count. */
export async function othersSince(
  undoing: Undoing,
  page: PageId,
  after: number,
  counts: (event: WorkspaceEvent) => boolean,
): Promise<WorkspaceEvent | undefined> {
  const { use, landing } = undoing;
  for (let before: number | undefined; ; ) {
    const events = await use.events.ofPage(landing.tx, page, EVENTS_AT_ONCE, before);
    const other = events.find((event) => event.sequence > after && !isOwn(undoing, event) && counts(event));
    if (other) return other;
    before = events.at(-1)?.sequence;
    if (before === undefined || before <= after) return undefined;
  }
}
