/** What a handler is given besides its input. Which of the three it gets follows from what the tool declared. */
import type { AcceptedCall } from '../kernel/accepted-call.ts';
import type { Caller } from '../kernel/caller.ts';
import type { CallId } from '../kernel/ids.ts';
import type { ReadScope } from '../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../kernel/submission.ts';
import type { LandTicket } from '../kernel/ticket.ts';
import type { Ability, GoesOn, InputAnswers, InputRequests } from './input-request.ts';

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** For whoever calls and asked to hear it; never for our own log. */
export interface LogLine {
  readonly level: LogLevel;
  readonly data: unknown;
}

/** Nothing happened outside yet; something may have; what happened is known. */
export type EffectState = 'none' | 'in_doubt' | 'known';

/** A tool with effects outside of Sluice: no store handle, because it may take its time. */
export interface ActionContext {
  readonly caller: Caller;
  readonly callId: CallId;
  /** When the call began; the handler's clock. */
  readonly at: number;
  readonly signal: AbortSignal;
  progress(step: Progress): void;
  log(level: LogLevel, data: unknown): void;
  /** Says how it stands outside, so that a call that ends early is recorded as what it is. */
  effect(state: EffectState): void;
  /** Names what was found in what leaves with the call and let go; it stands in the record. */
  sends(rules: readonly string[]): void;
  /** Whether the one who calls can be asked for this. */
  can(ability: Ability): boolean;
  /** Gives the call up until there is an answer; it begins anew with `answers` and `state`. */
  ask(requests: InputRequests, state?: unknown, goesOn?: GoesOn): never;
  /** Empty unless the call was given up before to ask for something. Claims, like arguments. */
  readonly answers: InputAnswers;
  /** What the handler left with the same caller and the same arguments; nobody else can have made it. */
  readonly state: unknown;
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
  /** Runs the call that an author accepted, in this unit; answers what its handler did. */
  carryOut(call: AcceptedCall): Promise<unknown>;
}
