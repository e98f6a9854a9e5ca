/** What became of one thing that a run did. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { PageId } from '../../../kernel/ids.ts';
import type { EventKind, WorkspaceEvent } from '../ports/event-log.ts';

export interface UndoStep {
  readonly change: number;
  readonly kind: EventKind;
  /** Null when it is not about a page. */
  readonly page: PageId | null;
  readonly title: string;
  /** `nothing`: it is as before already. `kept`: taking it back would touch what others did. */
  readonly outcome: 'undone' | 'nothing' | 'kept';
  readonly reason?: string;
  /** What taking it back does, where its kind does not say. */
  readonly effect?: string;
  readonly linesAdded?: number;
  readonly linesRemoved?: number;
}

/** Thrown inside of a step; the step is then as if it had never been tried. */
export const kept = (reason: string): SluiceError => new SluiceError('conflict', reason, { reason: 'kept' });

export const stepOf = (
  event: WorkspaceEvent,
  title: string,
  outcome: UndoStep['outcome'],
  more: Pick<UndoStep, 'reason' | 'effect' | 'linesAdded' | 'linesRemoved'> = {},
): UndoStep => ({
  change: event.change,
  kind: event.kind,
  page: event.page,
  title,
  outcome,
  ...more,
});
