/** The port to changes that are not about pages: whoever made them takes them back when their run is undone. */
import type { Landing } from '../../../kernel/ticket.ts';
import type { EventLog, WorkspaceEvent } from './event-log.ts';

export interface OtherChanges {
  /**
   * In the unit of the undoing, into the given log; `isOwn` tells what the run itself did. Throws `conflict` with what
   * stands against it; undefined where the change is none of theirs.
   */
  takeBack(
    events: EventLog,
    landing: Landing,
    event: WorkspaceEvent,
    isOwn: (event: WorkspaceEvent) => boolean,
  ): Promise<{ readonly what: string; readonly outcome: 'undone' | 'nothing' } | undefined>;
}
