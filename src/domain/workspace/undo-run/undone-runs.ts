/** Which runs are undone: those that were, unless the undoing was undone in its turn. */
import type { WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { WorkspaceEvent } from '../ports/event-log.ts';
import { recordChange } from '../record-change.ts';
import type { Undoing } from './undoing.ts';

export async function noteUndone({ use, landing, workspace, run }: Undoing): Promise<void> {
  const nothing = { page: null, beforeVersion: null, afterVersion: null };
  await recordChange(use, landing, workspace, [{ kind: 'run_undone', ...nothing, details: { run } }]);
}

const AT_ONCE = 100;

/** The number of the event up to which everything the run did is taken back; 0 when nothing is. */
export async function undoneUpTo(
  use: Pick<WorkspaceMeans, 'events'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  run: string,
): Promise<number> {
  // Newest first, so that whatever undid an undoing is known before it.
  const undone = new Set<string>();
  for (let before: number | undefined; ; ) {
    const filter = { kinds: ['run_undone'] } as const;
    const events: readonly WorkspaceEvent[] = await use.events.matching(
      scope,
      workspace,
      filter,
      AT_ONCE,
      before,
    );
    for (const event of events) {
      if (undone.has(event.run)) continue;
      const of = String(event.details.run);
      if (of === run) return event.sequence;
      undone.add(of);
    }
    before = events.at(-1)?.sequence;
    if (before === undefined) return 0;
  }
}
