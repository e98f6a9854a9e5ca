/**
 * Questions of a provider to the one who calls, before it answers. None is passed on unless a person has allowed that
 * kind for this provider; what is passed on is read field by field, bounded, and asks for no secret.
 */
import type { ProviderProfile, Relay } from './profile.ts';
import { invalidResult, type ProviderContent, readBlock } from './result.ts';
import { isShown, type Shown } from './surface.ts';

export type ProviderQuestion =
  | { readonly kind: 'form'; readonly message: string; readonly schema: Shown }
  | {
      readonly kind: 'sampling';
      readonly messages: readonly {
        readonly role: 'user' | 'assistant';
        readonly content: ProviderContent;
      }[];
      readonly maxTokens: number;
      readonly systemPrompt?: string;
    }
  | { readonly kind: 'roots' };

export interface Questions {
  readonly asked: Readonly<Record<string, ProviderQuestion>>;
  /** What the provider wants back with the answers; opaque. */
  readonly state: string | undefined;
}

export const MAX_QUESTIONS = 8;
const MAX_MESSAGE = 4_096;
const MAX_SCHEMA = 16_384;
const MAX_STATE = 32_768;
const MAX_MESSAGES = 32;
const MAX_TOKENS = 4_096;
const SECRET =
  /(?<![a-z])(?:pass ?(?:word|phrase|code)|passwd|pwd|api[ _-]?key|apikey|secret|credentials?|(?:private|access|recovery)[ _-]?key|(?:access|auth|bearer|refresh|session)?[ _-]?token|otp|cvv|seed phrase)s?(?![a-z])/i;
const KEY = /^[A-Za-z0-9_.-]{1,64}$/;

/** Undefined where nothing may be asked, or nothing is: the answer is then judged as an answer. */
export function readQuestions({ id, relays = [] }: ProviderProfile, raw: Shown): Questions | undefined {
  if (relays.length === 0 || raw.resultType !== 'input_required') return undefined;
  const { inputRequests, requestState } = raw;
  const entries = isShown(inputRequests) ? Object.entries(inputRequests) : [];
  if (entries.length === 0 || entries.length > MAX_QUESTIONS || !entries.every(([key]) => KEY.test(key)))
    throw invalidResult(id, `asks nothing, or more than ${MAX_QUESTIONS} things at once`);
  if (requestState !== undefined && (typeof requestState !== 'string' || requestState.length > MAX_STATE))
    throw invalidResult(id, 'wants more kept than can be');
  const asked = entries.map(([key, request]) => [key, readQuestion(id, relays, request)] as const);
  return { asked: Object.fromEntries(asked), state: requestState };
}

/** What each of its questions needs to be allowed. */
const RELAY_OF: Readonly<Record<string, Relay>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

export const relayOf = (method: string): Relay | undefined =>
  Object.hasOwn(RELAY_OF, method) ? RELAY_OF[method] : undefined;

/** How a server is told what it may ask for. */
export const capabilitiesFor = (relays: readonly Relay[]): Shown =>
  Object.fromEntries(relays.map((relay) => [relay, relay === 'elicitation' ? { form: {} } : {}]));

export function readQuestion(id: string, relays: readonly Relay[], request: unknown): ProviderQuestion {
  const { method, params } = isShown(request) ? request : {};
  const given = isShown(params) ? params : {};
  const relay = relayOf(String(method));
  if (relay === undefined || !relays.includes(relay))
    throw invalidResult(id, 'asks for something that it may not ask for');
  if (relay === 'elicitation') return readForm(id, given);
  return relay === 'sampling' ? readSampling(id, given) : { kind: 'roots' };
}

function readForm(id: string, { mode, message, requestedSchema: schema }: Shown): ProviderQuestion {
  if ((mode !== undefined && mode !== 'form') || typeof message !== 'string' || message.length > MAX_MESSAGE)
    throw invalidResult(id, 'asks with something else than a short form');
  if (!isShown(schema) || JSON.stringify(schema).length > MAX_SCHEMA || !isShown(schema.properties))
    throw invalidResult(id, 'asks with a form that has no fields');
  // In whatever of its words: whoever fills it in would give it to a stranger.
  if (SECRET.test(`${message} ${JSON.stringify(schema)}`.replaceAll(/([a-z])([A-Z])/g, '$1 $2')))
    throw invalidResult(id, 'asks for a secret in a form');
  return { kind: 'form', message, schema };
}

function readSampling(id: string, given: Shown): ProviderQuestion {
  const { messages, maxTokens, systemPrompt, includeContext, tools } = given;
  // What other servers said is not for this one.
  if ((includeContext !== undefined && includeContext !== 'none') || tools !== undefined)
    throw invalidResult(id, 'asks for what others said, or for tools');
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > MAX_MESSAGES)
    throw invalidResult(id, `asks a model with no messages, or more than ${MAX_MESSAGES}`);
  return {
    kind: 'sampling',
    messages: messages.map((message: unknown) => {
      const { role, content } = isShown(message) ? message : {};
      if (role !== 'user' && role !== 'assistant') throw invalidResult(id, 'asks in nobody’s name');
      return { role, content: readBlock(id, content) };
    }),
    maxTokens: typeof maxTokens === 'number' ? Math.max(1, Math.min(MAX_TOKENS, maxTokens)) : MAX_TOKENS,
    ...(typeof systemPrompt === 'string' && { systemPrompt: systemPrompt.slice(0, MAX_MESSAGE) }),
  };
}
