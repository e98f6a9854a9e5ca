/**
 * What is known after each step of the pipeline. A step takes one of these and gives the next, so that the
 * order of the steps is a matter of types: leaving one out or swapping two does not compile.
 */
import type { HeldOutput } from '../catalogue/answer-held.ts';
import type { Entry } from '../catalogue/catalogue.ts';
import type { InputAnswers } from '../catalogue/input-request.ts';
import type { Approval } from '../domain/governance/approvals/approval.ts';
import type { Grant } from '../domain/governance/credentials.ts';
import type { GateName } from '../domain/governance/decision.ts';
import type { Caller } from '../kernel/caller.ts';
import type { ApprovalId, CallId } from '../kernel/ids.ts';
import type { Bound } from '../kernel/ports/sights.ts';
import type { ReadScope, WriteTx } from '../kernel/ports/unit-of-work.ts';
import type { EntityVersion, Submission } from '../kernel/submission.ts';
import type { LandTicket } from '../kernel/ticket.ts';
import type { AuditDraft } from './audit-draft.ts';
import type { CallSlot } from './calls-in-flight.ts';
import type { Answer, ArgumentNote, CallRequest } from './request.ts';

/**
 * One object is carried through all steps, because copying it at each would cost more than the steps: a step adds
 * what it learned, and the types alone tell the stages apart. All fields are there from the start, so that it keeps
 * its shape.
 */
class Carried implements Opened {
  readonly request: CallRequest;
  readonly draft: AuditDraft;
  grant = undefined;
  caller = undefined;
  inputBytes = undefined;
  entry = undefined;
  variables = undefined;
  slot = undefined;
  input = undefined;
  argumentNote = undefined;
  inputDigest = undefined;
  resumed = undefined;
  approval = undefined;
  released = undefined;
  read = undefined;
  tx = undefined;
  bound = undefined;
  noted = undefined;
  ticket = undefined;
  submission = undefined;
  output = undefined;
  answer = undefined;

  constructor(request: CallRequest, draft: AuditDraft) {
    this.request = request;
    this.draft = draft;
  }
}

export const beginCall = (request: CallRequest, draft: AuditDraft): Opened => new Carried(request, draft);

/** The next stage: the same call, and one thing more that is known of it. */
export function learn<Stage extends Opened, Name extends keyof Carried, Fact>(
  stage: Stage,
  name: Name,
  fact: Fact,
): Stage & { readonly [Known in Name]: Fact } {
  (stage as Record<string, unknown>)[name] = fact;
  return stage as Stage & { readonly [Known in Name]: Fact };
}

/** 1 */
export interface Opened {
  readonly request: CallRequest;
  readonly draft: AuditDraft;
}

/** 2 */
export interface Authenticated extends Opened {
  readonly grant: Grant;
}

/** 3 */
export interface Resolved extends Authenticated {
  readonly caller: Caller;
}

/** 4 */
export interface Sized extends Resolved {
  readonly inputBytes: number;
}

/** 5 */
export interface Found extends Sized {
  readonly entry: Entry;
  /** What a resource's URI says. */
  readonly variables: Readonly<Record<string, string>>;
}

declare const passed: unique symbol;

/** 6–10: the last gate that said yes, which is known to the types alone. */
export interface Passed<Gate extends GateName> extends Found {
  readonly [passed]: Gate;
}

/** 11 */
export interface Admitted extends Passed<'access_rule'> {
  readonly slot: CallSlot;
}

/** What came with a call that was given up before to ask for something. */
export interface Resumed {
  readonly answers: InputAnswers;
  readonly state: unknown;
  /** The call that asked. */
  readonly call?: CallId;
  /** What it had asked for, or used, of a person's yes. */
  readonly approval?: ApprovalId;
}

/** 12 */
export interface Valid extends Admitted {
  readonly input: Readonly<Record<string, unknown>>;
  readonly argumentNote: ArgumentNote | undefined;
  readonly inputDigest: string;
  readonly resumed: Resumed;
}

declare const approved: unique symbol;

/** 13: known to the types alone, as with the gates, where no yes was needed. */
export interface Approved extends Valid {
  readonly [approved]: true;
  /** The yes that this call uses. */
  readonly approval: Approval | undefined;
  /** An answer of an earlier call that was held and let go: the handler is not called. */
  readonly released: HeldOutput | undefined;
}

/** The effect has begun: a scope to read in, a transaction for a writer, a place for what is read. */
export interface Enclosed extends Approved {
  /** What the caller may see of the store. */
  readonly read: ReadScope | undefined;
  /** The transaction of a writer, and what the caller sees and may do in it. */
  readonly tx: WriteTx | undefined;
  readonly bound: Bound<WriteTx> | undefined;
  readonly noted: EntityVersion[];
}

/** 14: named also where there is none, so that nothing gets to a handler round the boundary. */
export interface Submitted extends Enclosed {
  readonly ticket: LandTicket | undefined;
  readonly submission: Submission | undefined;
}

/** 15 */
export interface Handled extends Submitted {
  readonly output: unknown;
}

/** 16 */
export interface Checked extends Handled {
  readonly answer: Answer;
}
