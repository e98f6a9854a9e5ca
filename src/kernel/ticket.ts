/**
 * Write tickets: a domain function that changes something demands one, and only the submit boundary can mint
 * one. A ticket is spent once; spending it is also the only way to the transaction that can write.
 */
import { SluiceError } from './errors.ts';
import type { WriteTx } from './ports/unit-of-work.ts';
import { requireSound } from './sound-submission.ts';
import type { Submission, WriteKind } from './submission.ts';

export type TicketMode = 'land' | 'propose';

/** What is no part of a workspace, or switches it back. */
const KINDS_ABOVE_CONTENT: readonly WriteKind[] = [
  'setting',
  'credential',
  'policy',
  'workspace',
  'audit',
  'provider',
  'approval',
];

/** Known only to this module, so that no constructor below can be called from outside. */
const seal = Symbol('ticket');

/** What a spent ticket gives: the right to write this submission in this transaction. */
export class Landing {
  readonly #proof = true;
  readonly tx: WriteTx;
  readonly submission: Submission;

  constructor(key: symbol, tx: WriteTx, submission: Submission) {
    if (key !== seal) throw forged();
    this.tx = tx;
    this.submission = submission;
  }

  static holds(value: unknown): value is Landing {
    return typeof value === 'object' && value !== null && #proof in value;
  }
}

abstract class Ticket {
  /** Private as well: a public one could be written over, and a proposal would land. */
  readonly #mode: TicketMode;
  readonly #tx: WriteTx;
  readonly #submission: Submission;
  #spent = false;

  constructor(key: symbol, mode: TicketMode, tx: WriteTx, submission: Submission) {
    if (key !== seal) throw forged();
    this.#mode = mode;
    this.#tx = tx;
    this.#submission = submission;
  }

  static spend(ticket: unknown, kind: WriteKind, mode: TicketMode): Landing {
    if (typeof ticket !== 'object' || ticket === null || !(#spent in ticket)) throw forged();
    const genuine = ticket as Ticket;
    if (genuine.#spent) throw new SluiceError('internal', 'A write ticket was spent twice');
    if (genuine.#mode !== mode || genuine.#submission.kind !== kind) {
      const held = `${genuine.#mode} ${genuine.#submission.kind}`;
      throw new SluiceError(
        'internal',
        `The write needs a ticket to ${mode} ${kind}, this one is to ${held}`,
      );
    }
    if (genuine.#submission.readOnly && !KINDS_ABOVE_CONTENT.includes(kind)) {
      throw readOnlyWorkspace();
    }
    requireSound(genuine.#submission);
    genuine.#spent = true;
    return new Landing(seal, genuine.#tx, genuine.#submission);
  }
}

/** Lets a submission take effect. */
export class LandTicket extends Ticket {
  readonly #land = true;
  constructor(key: symbol, tx: WriteTx, submission: Submission) {
    super(key, 'land', tx, submission);
  }
  static holds(value: unknown): value is LandTicket {
    return typeof value === 'object' && value !== null && #land in value;
  }
}

/** Lets a submission be put up for review, and nothing else. */
export class ProposeTicket extends Ticket {
  readonly #propose = true;
  constructor(key: symbol, tx: WriteTx, submission: Submission) {
    super(key, 'propose', tx, submission);
  }
  static holds(value: unknown): value is ProposeTicket {
    return typeof value === 'object' && value !== null && #propose in value;
  }
}

export type WriteTicket = LandTicket | ProposeTicket;

export interface TicketMint {
  land(tx: WriteTx, submission: Submission): LandTicket;
  propose(tx: WriteTx, submission: Submission): ProposeTicket;
}

/** Composition makes one and hands it to the gateway alone; the architecture check holds everybody else to that. */
export function createTicketMint(): TicketMint {
  return {
    land: (tx, submission) => new LandTicket(seal, tx, submission),
    propose: (tx, submission) => new ProposeTicket(seal, tx, submission),
  };
}

/** Spends the ticket; throws when it is none, was spent, or is for another kind or mode of write. */
export function requireTicket(ticket: WriteTicket, kind: WriteKind, mode: TicketMode): Landing {
  return Ticket.spend(ticket, kind, mode);
}

export function readOnlyWorkspace(): SluiceError {
  const until = 'until the owner says "sluice workspace read-only off"';
  return new SluiceError('denied', `The workspace is read-only: nobody changes anything in it ${until}`, {
    reason: 'read_only',
  });
}

function forged(): SluiceError {
  return new SluiceError('internal', 'A write was tried without a ticket from the submit boundary');
}
