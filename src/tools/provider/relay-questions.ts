/** Passes questions of a provider on to the one who calls, as a stranger's, and the answers back, to this call alone. */
import type { ActionContext } from '../../catalogue/call-context.ts';
import { type Ability, type InputRequest, missingAbilities } from '../../catalogue/input-request.ts';
import { refuseCredentials } from '../../domain/providers/credential-check.ts';
import type { Asking } from '../../domain/providers/ports/upstream.ts';
import type { ProviderProfile, Relay } from '../../domain/providers/profile.ts';
import { type ProviderQuestion, type Questions, readQuestions } from '../../domain/providers/relay.ts';
import { invalidResult, type ProviderContent } from '../../domain/providers/result.ts';
import type { Shown } from '../../domain/providers/surface.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { heldBack, passes } from './held-back.ts';
import type { ProviderFamilyMeans } from './means.ts';

type RelayMeans = Pick<ProviderFamilyMeans, 'inspect' | 'checkArguments'>;

/** So often one call may ask. */
const MAX_ROUNDS = 8;

/** What is left with the caller between a question and its answer; the gateway seals it and binds it to the call. */
interface Left {
  readonly provider: string;
  readonly keys: readonly string[];
  readonly round: number;
  readonly state?: string | undefined;
}

export async function withQuestions(
  use: RelayMeans,
  profile: ProviderProfile,
  call: ActionContext,
  send: (asking: Asking) => Promise<Shown>,
): Promise<Shown> {
  const left = leftOf(profile, call.state);
  const answers = answersTo(profile, left, call);
  if (answers.inputResponses) use.checkArguments(profile, answers.inputResponses, call.caller.context.run);
  const raw = await send({ capabilities: capabilitiesOf(profile, call), ...answers }).catch(
    (error: unknown) => {
      throw lacking(profile, call, error);
    },
  );
  const questions = readQuestions(profile, raw);
  if (!questions) return raw;
  const round = (left?.round ?? 0) + 1;
  if (round > MAX_ROUNDS) throw invalidResult(profile.id, 'does not stop asking');
  const keys = Object.keys(questions.asked);
  const state: Left = { provider: profile.id, keys, round, state: questions.state };
  return call.ask(await inspected(use, profile, questions), state);
}

const ABILITIES: Readonly<Record<Relay, Ability>> = {
  elicitation: 'form',
  sampling: 'sampling',
  roots: 'roots',
};

/** A server is told that it may ask for what was allowed and what this caller can answer. */
function capabilitiesOf({ relays = [] }: ProviderProfile, call: ActionContext): Shown {
  const can = relays.filter((relay) => call.can(ABILITIES[relay]));
  return Object.fromEntries(can.map((relay) => [relay, relay === 'elicitation' ? { form: {} } : {}]));
}

/** What it may ask for and this caller cannot answer is for the caller to know; what it may not is between it and us. */
function lacking({ relays = [] }: ProviderProfile, call: ActionContext, error: unknown): unknown {
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
function answersTo(
  { id }: ProviderProfile,
  left: Left | undefined,
  { answers }: ActionContext,
): Pick<Asking, 'inputResponses' | 'requestState'> {
  if (!left) return {};
  const given = left.keys.filter((key) => answers[key] !== undefined).map((key) => [key, answers[key]]);
  const inputResponses = Object.fromEntries(given);
  refuseCredentials(id, inputResponses);
  return { inputResponses, ...(left.state !== undefined && { requestState: left.state }) };
}

async function inspected(
  use: RelayMeans,
  profile: ProviderProfile,
  { asked }: Questions,
): Promise<Readonly<Record<string, InputRequest>>> {
  const requests: Record<string, InputRequest> = {};
  for (const [key, question] of Object.entries(asked))
    requests[key] = await inspectedQuestion(use, profile, question);
  return requests;
}

async function inspectedQuestion(
  use: RelayMeans,
  profile: ProviderProfile,
  question: ProviderQuestion,
): Promise<InputRequest> {
  if (question.kind === 'roots') return question;
  const words = (text: string): ProviderContent => ({ type: 'text', text });
  const content =
    question.kind === 'form'
      ? [words(question.message)]
      : [words(question.systemPrompt ?? ''), ...question.messages.map((message) => message.content)];
  const structured = question.kind === 'form' ? question.schema : undefined;
  const inspection = await use.inspect(profile, { content, structured, isError: false });
  if (!passes(inspection)) throw heldBack(profile.id, inspection);
  const [first, ...rest] = inspection.result.content;
  const text = first?.type === 'text' ? first.text : '';
  if (question.kind === 'form')
    return {
      kind: 'form',
      message: `"${profile.id}", a server that is not part of Sluice, asks: ${text}`,
      schema: inspection.result.structured ?? {},
    };
  return {
    kind: 'sampling',
    messages: question.messages.map(({ role, content: said }, at) => ({ role, content: rest[at] ?? said })),
    maxTokens: question.maxTokens,
    ...(question.systemPrompt !== undefined && { systemPrompt: text }),
  };
}
