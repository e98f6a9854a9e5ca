/**
 * The pipeline: one straight line from a request to an answer, the same for every wire. Nothing in here knows
 * a transport or a tool, and there is no other way to a handler.
 */
import { AnswerHeld } from '../catalogue/answer-held.ts';
import { InputNeeded } from '../catalogue/input-request.ts';
import { asSluiceError } from '../kernel/errors.ts';
import type { Gate } from './means.ts';
import type { CallRequest, Outcome } from './request.ts';
import type { Admitted, Approved, Checked, Enclosed, Valid } from './stages.ts';
import { authenticate } from './steps/authenticate.ts';
import { callThrough } from './steps/call-through.ts';
import { checkOutput } from './steps/check-output.ts';
import { refuse } from './steps/close-audit.ts';
import { enclose } from './steps/enclose.ts';
import { findEntry } from './steps/find-entry.ts';
import { answerReleased, holdAnswer } from './steps/hold-answer.ts';
import { landOrPropose } from './steps/land-or-propose.ts';
import { limitRate } from './steps/limit-rate.ts';
import { limitSize } from './steps/limit-size.ts';
import { openAudit } from './steps/open-audit.ts';
import { passGate } from './steps/pass-gate.ts';
import { giveBack, requireApproval } from './steps/require-approval.ts';
import { resolveCaller } from './steps/resolve-caller.ts';
import { submit } from './steps/submit.ts';
import { suspend } from './steps/suspend.ts';
import { validateInput } from './steps/validate-input.ts';

export async function dispatch(use: Gate, request: CallRequest): Promise<Outcome> {
  const opened = openAudit(use, request); // 1
  if (!('draft' in opened)) return opened;
  try {
    const authenticated = authenticate(use, opened); // 2
    const resolving = resolveCaller(use, authenticated); // 3
    const resolved = resolving instanceof Promise ? await resolving : resolving;
    const sized = limitSize(use, resolved); // 4
    const found = findEntry(use, callThrough(use, sized)); // 5
    const on = passGate(use, found, 'off_switch'); // 6
    const listed = passGate(use, on, 'role'); // 7
    const reached = passGate(use, listed, 'reach'); // 8
    const scoped = passGate(use, reached, 'scope'); // 9
    const allowed = passGate(use, scoped, 'access_rule'); // 10
    const admitted = limitRate(use, allowed); // 11
    try {
      return await carryOut(use, admitted);
    } finally {
      admitted.slot.leave();
    }
  } catch (error) {
    return refuse(use, opened, asSluiceError(error)); // 17 for everything that did not go through
  }
}

/** While the call is in flight. */
async function carryOut(use: Gate, admitted: Admitted): Promise<Outcome> {
  const valid = validateInput(use, admitted); // 12
  try {
    const approving = requireApproval(use, valid); // 13
    const approved = approving instanceof Promise ? await approving : approving;
    return withNote(valid, await underApproval(use, approved));
  } catch (error) {
    if (error instanceof InputNeeded) return suspend(use, valid, error); // 17, nothing else stays
    throw error;
  }
}

/** Also beside an answer that was kept or held: what is said of the arguments is about this call. */
function withNote({ argumentNote }: Valid, outcome: Outcome): Outcome {
  if (!argumentNote || !outcome.ok || outcome.answer.kind !== 'tool') return outcome;
  return { ...outcome, answer: { ...outcome.answer, arguments: argumentNote } };
}

/** What comes of a yes that was used: what failed before anything happened leaves it for another try. */
async function underApproval(use: Gate, approved: Approved): Promise<Outcome> {
  try {
    if (approved.released) return await answerReleased(use, approved, approved.released);
    return await enclose(use, approved, perform); // 17, in the same unit as a local write
  } catch (error) {
    if (error instanceof AnswerHeld) return holdAnswer(use, approved, error); // 17, with what is held
    if (!(error instanceof InputNeeded)) await giveBack(use, approved);
    throw error;
  }
}

async function perform(use: Gate, enclosed: Enclosed): Promise<Checked> {
  const submitting = submit(use, enclosed); // 14
  const submitted = submitting instanceof Promise ? await submitting : submitting;
  const handled = await landOrPropose(use, submitted); // 15
  return checkOutput(use, handled); // 16
}
