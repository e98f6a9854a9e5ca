/**
 * Passes questions of a provider on to the one who calls, as a stranger's, and the answers back, to this call alone.
 * A provider of the newer protocol ends its call by asking; one of the older keeps it open, and so do we.
 */
import type { ActionContext } from '../../catalogue/call-context.ts';
import { type Ability, type InputRequests, missingAbilities } from '../../catalogue/input-request.ts';
import { AskingCall, type Leg, type SendMeans } from '../../domain/providers/asking-call.ts';
import { refuseCredentials } from '../../domain/providers/credential-check.ts';
import type { Asking, UpstreamQuestion } from '../../domain/providers/ports/upstream.ts';
import type { ProviderProfile, Relay } from '../../domain/providers/profile.ts';
import { refusal } from '../../domain/providers/refusals.ts';
import {
  capabilitiesFor,
  type ProviderQuestion,
  readQuestion,
  readQuestions,
  relayOf,
} from '../../domain/providers/relay.ts';
import { answerTo } from '../../domain/providers/relay-answers.ts';
import { invalidResult } from '../../domain/providers/result.ts';
import type { Shown } from '../../domain/providers/surface.ts';
import type { WaitingCall, WaitsFor } from '../../domain/providers/waiting-calls.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { inspectedQuestions } from './inspected-questions.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { passedProgress } from './passed-progress.ts';

/** So often one call may ask. */
const MAX_ROUNDS = 8;

/** What is left with the caller between a question and its answer; the gateway seals it and binds it to the call. */
interface Left {
  readonly provider: string;
  readonly keys: readonly string[];
  readonly round: number;
  readonly state?: string | undefined;
  /** Of a call that is kept open meanwhile. */
  readonly waiting?: string | undefined;
}

type Send = (means: SendMeans) => Promise<Shown>;

interface Relayed {
  readonly use: ProviderFamilyMeans;
  readonly profile: ProviderProfile;
  readonly entry: string;
  readonly call: ActionContext;
  readonly left: Left | undefined;
}

export async function withQuestions(
  use: ProviderFamilyMeans,
  profile: ProviderProfile,
  entry: string,
  call: ActionContext,
  send: Send,
): Promise<Shown> {
  const leg = legOf(use, profile, call);
  if ((profile.relays ?? []).length === 0) return send({ ...leg, capabilities: {} });
  const left = leftOf(profile, call.state);
  const relayed: Relayed = { use, profile, entry, call, left };
  const given = answersTo(relayed);
  if (given.inputResponses)
    call.sends(use.checkArguments(profile, given.inputResponses, call.caller.context.run));
  const capabilities = capabilitiesFor((profile.relays ?? []).filter((relay) => call.can(ABILITIES[relay])));
  const open =
    left?.waiting === undefined
      ? new AskingCall(leg, { capabilities, ...given }, send)
      : goOn(relayed, left.waiting, given.inputResponses ?? {});
  for (;;) {
    const heard = await open.next(leg).catch((error: unknown) => {
      throw lacking(relayed, error);
    });
    if ('raw' in heard) return answerOrAsk(relayed, heard.raw);
    const { asked, requests, left: next } = await prepared(relayed, open, heard.questions);
    const { callId } = call;
    const waits = { call: open, asked };
    const goesOn = use.waiting.park(callId, waitsFor(relayed), waits, profile.limits.answerMs);
    if (goesOn) return call.ask(requests, { ...next, waiting: callId }, goesOn);
    for (const question of heard.questions) question.refuse('Too many calls wait for an answer');
  }
}

const ABILITIES: Readonly<Record<Relay, Ability>> = {
  elicitation: 'form',
  sampling: 'sampling',
  roots: 'roots',
};

function legOf(use: ProviderFamilyMeans, profile: ProviderProfile, call: ActionContext): Leg {
  return {
    signal: call.signal,
    canAnswer(method) {
      const relay = relayOf(method);
      return relay !== undefined && (profile.relays ?? []).includes(relay) && call.can(ABILITIES[relay]);
    },
    onProgress: (step) => call.progress(passedProgress(use, profile, step)),
    onEffect: (state) => call.effect(state),
  };
}

/** What it may ask for and this caller cannot answer is for the caller to know; what it may not is between it and us. */
function lacking({ profile: { relays = [] }, call }: Relayed, error: unknown): unknown {
  const wants = error instanceof SluiceError ? ((error.details.wants ?? []) as readonly Relay[]) : [];
  const missing = relays
    .filter((relay) => wants.includes(relay))
    .map((relay) => ABILITIES[relay])
    .filter((ability) => !call.can(ability));
  return missing.length > 0 ? missingAbilities(missing) : error;
}

function leftOf({ id }: ProviderProfile, state: unknown): Left | undefined {
  const left = state as Left | undefined;
  return left?.provider === id && Array.isArray(left.keys) ? left : undefined;
}

/** Only what was asked for is answered, and never with a credential. */
function answersTo({ profile, left, call }: Relayed): Pick<Asking, 'inputResponses' | 'requestState'> {
  if (!left) return {};
  const { answers } = call;
  const given = left.keys.filter((key) => answers[key] !== undefined).map((key) => [key, answers[key]]);
  const inputResponses = Object.fromEntries(given);
  refuseCredentials(profile.id, inputResponses);
  return { inputResponses, ...(left.state !== undefined && { requestState: left.state }) };
}

const waitsFor = ({ profile, entry, call }: Relayed): WaitsFor => ({
  caller: call.caller,
  provider: profile.id,
  entry,
});

/** The call that was kept open is told what was answered. What is not there any more is not begun anew. */
function goOn(relayed: Relayed, id: string, responses: Shown): AskingCall {
  const waiting = relayed.use.waiting.take(id, waitsFor(relayed));
  if (!waiting) throw notWaiting(relayed, id);
  for (const [key, { question, read }] of waiting.asked) {
    const answer = answerTo(read, responses[key]);
    if (answer) question.answer(answer);
    else question.refuse('It was not answered');
  }
  return waiting.call;
}

function notWaiting({ use, profile, call }: Relayed, id: string): Error {
  const { id: provider } = profile;
  if (use.waiting.wasAnswered(id))
    return new SluiceError('conflict', `The question of "${provider}" was answered before`, { provider });
  // It was sent, and how far it came nobody knows.
  call.effect('in_doubt');
  return refusal(
    'DELEG_STREAM_TERMINAL_ERROR',
    provider,
    `the call of "${provider}" that asked does not wait any more: the time was over, it was given up, or Sluice was started anew`,
    { diagnostic: 'DELEG_GATEWAY_MCP_TOOL_CALL_FAILED' },
  );
}

/** One of the newer protocol has ended its call by asking. */
async function answerOrAsk(relayed: Relayed, raw: Shown): Promise<Shown> {
  const { use, profile, call } = relayed;
  const questions = readQuestions(profile, raw);
  if (!questions) return raw;
  const { asked, state } = questions;
  const left = { ...leftAfter(relayed, Object.keys(asked)), state };
  return call.ask(await inspectedQuestions(use, profile, asked), left);
}

function leftAfter({ profile, left }: Relayed, keys: readonly string[]): Left {
  const round = (left?.round ?? 0) + 1;
  if (round > MAX_ROUNDS) throw invalidResult(profile.id, 'does not stop asking');
  return { provider: profile.id, keys, round };
}

interface Prepared {
  readonly left: Left;
  readonly requests: InputRequests;
  readonly asked: WaitingCall['asked'];
}

/** Read and inspected; a call that asks what it may not is given up. */
async function prepared(
  relayed: Relayed,
  open: AskingCall,
  questions: readonly UpstreamQuestion[],
): Promise<Prepared> {
  const { use, profile } = relayed;
  try {
    const left = leftAfter(
      relayed,
      questions.map((_, at) => `question_${at + 1}`),
    );
    const read = questions.map((question) => readQuestion(profile.id, profile.relays ?? [], question));
    const byKey = Object.fromEntries(left.keys.map((key, at) => [key, read[at] as ProviderQuestion]));
    const asked = new Map(
      left.keys.map((key, at) => [
        key,
        { question: questions[at] as UpstreamQuestion, read: read[at] as ProviderQuestion },
      ]),
    );
    return { left, asked, requests: await inspectedQuestions(use, profile, byKey) };
  } catch (error) {
    open.giveUp();
    throw error;
  }
}
