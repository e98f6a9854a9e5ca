/** What a handler is given besides its input. Which of the three it gets follows from what the tool declared. */
import type { Caller } from '../kernel/caller.ts';
import type { CallId } from '../kernel/ids.ts';
import type { ReadScope } from '../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../kernel/submission.ts';
import type { LandTicket } from '../kernel/ticket.ts';

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A tool with effects outside of Sluice: no store handle, because it may take its time. */
export interface ActionContext {
  readonly caller: Caller;
  readonly callId: CallId;
  /** When the call began; the handler's clock. */
  readonly at: number;
  readonly signal: AbortSignal;
  progress(step: Progress): void;
  /** Puts an entity on the run's read trail. */
  noteRead(entity: EntityVersion): void;
}

/** A reading tool sees one consistent state. */
export interface ReadContext extends ActionContext {
  readonly read: ReadScope;
}

/** A writing tool runs inside one unit; its ticket is the only way to change anything. */
export interface WriteContext extends ReadContext {
  readonly ticket: LandTicket;
}
