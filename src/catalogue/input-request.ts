/**
 * What a handler may ask of the one who calls, or of the one who sits in front of the client, before it goes on.
 * It gives its call up by asking; the same call comes again with the answers and with what the handler left behind.
 */
import { SluiceError } from '../kernel/errors.ts';
import type { Content } from './content.ts';
import type { JsonSchema } from './schema.ts';

export type InputRequest =
  | { readonly kind: 'form'; readonly message: string; readonly schema: JsonSchema }
  | { readonly kind: 'url'; readonly message: string; readonly url: string }
  | {
      readonly kind: 'sampling';
      readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: Content }[];
      readonly maxTokens: number;
      readonly systemPrompt?: string;
    }
  | { readonly kind: 'roots' };

/** What a client can be asked for. */
export type Ability = InputRequest['kind'];

/** As the protocol names what a client must say that it can. */
const CAPABILITIES: Readonly<Record<Ability, readonly [capability: string, mode?: string]>> = {
  form: ['elicitation', 'form'],
  url: ['elicitation', 'url'],
  sampling: ['sampling'],
  roots: ['roots'],
};

/** For a call that needs a client with these. */
export function missingAbilities(missing: readonly Ability[]): SluiceError {
  const requiredCapabilities: Record<string, Record<string, object>> = {};
  for (const ability of missing) {
    const [capability, mode] = CAPABILITIES[ability];
    requiredCapabilities[capability] = { ...requiredCapabilities[capability], ...(mode && { [mode]: {} }) };
  }
  const message = `The call needs a client that can be asked for: ${missing.join(', ')}`;
  return new SluiceError('missing_capability', message, { requiredCapabilities });
}

/** Each under a name of the handler's choice, by which its answer comes back. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

/** As the client sent them: claims of whoever calls, to be checked like arguments. */
export type InputAnswers = Readonly<Record<string, unknown>>;

/** What goes on outside while the caller is asked, of a call that gave itself up. */
export interface GoesOn {
  /** No answer will come. */
  giveUp(): void;
  /** Resolves with its end: true when the call that brought the answers has taken it over. */
  readonly ended: Promise<boolean>;
}

/** Thrown by `call.ask`, so that a writer's unit is rolled back and nothing of the call stays but its record. */
export class InputNeeded extends Error {
  readonly requests: InputRequests;
  readonly state: unknown;
  readonly goesOn: GoesOn | undefined;

  constructor(requests: InputRequests, state: unknown, goesOn?: GoesOn) {
    super('The call needs an answer before it can go on');
    this.name = 'InputNeeded';
    this.requests = requests;
    this.state = state;
    this.goesOn = goesOn;
  }
}
