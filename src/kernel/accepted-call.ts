/**
 * A kept call that an author said yes to. Only the spent ticket of a review makes one, so that nobody can have a call
 * of his own invention carried out in somebody else's name.
 */
import type { Caller } from './caller.ts';
import { SluiceError } from './errors.ts';
import type { CallId, ProposalId } from './ids.ts';
import { mayReview } from './may-review.ts';
import type { WriteTx } from './ports/unit-of-work.ts';
import type { EntityVersion, Origin } from './submission.ts';
import { Landing } from './ticket.ts';

/** What was kept of a call for review. */
export interface KeptCall {
  readonly proposal: ProposalId;
  readonly callId: CallId;
  readonly tool: string;
  /** The tool that was called, where another one carries out what is left of it. */
  readonly asked: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly origin: Origin;
  readonly derivedFrom: readonly EntityVersion[];
  readonly entities: ReadonlySet<string>;
  readonly despiteChanges: boolean;
}

const seal = Symbol('accepted call');

export class AcceptedCall {
  readonly #tx: WriteTx;
  readonly #kept: KeptCall;
  readonly #by: Caller;
  readonly #callId: CallId;

  constructor(key: symbol, { tx, submission }: Landing, kept: KeptCall) {
    if (key !== seal) throw forged();
    this.#tx = tx;
    this.#kept = kept;
    this.#by = submission.caller;
    this.#callId = submission.callId;
  }

  /** What to carry out in this transaction, and in whose name it was let in. */
  static open(call: unknown, tx: WriteTx): { kept: KeptCall; by: Caller; callId: CallId } {
    if (typeof call !== 'object' || call === null || !(#kept in call)) throw forged();
    if (call.#tx !== tx) throw forged();
    return { kept: call.#kept, by: call.#by, callId: call.#callId };
  }
}

/** Throws unless the landing is a review of somebody who may review. */
export function acceptCall(landing: Landing, kept: KeptCall): AcceptedCall {
  if (!Landing.holds(landing) || landing.submission.kind !== 'review') throw forged();
  if (!mayReview(landing.submission.caller)) throw forged();
  return new AcceptedCall(seal, landing, kept);
}

const forged = (): SluiceError =>
  new SluiceError('internal', 'A kept call was to be carried out that no author accepted');
