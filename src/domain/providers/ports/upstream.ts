/** The port to upstream servers: connecting, reading what they show, calling. Drivers know the wire. */
import type { ProviderProfile, Relay } from '../profile.ts';
import type { ProviderSurface, Shown } from '../surface.ts';

export interface UpstreamProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a server of the older protocol wants to know before it answers a request. It is told one thing, once. */
export interface UpstreamQuestion {
  readonly method: string;
  readonly params: Shown;
  answer(result: Shown): void;
  /** Without a reason: as if nobody knew such a question. */
  refuse(why?: string): void;
}

/** How the one who calls may be asked for something on the way, and what it answered before. */
export interface Asking {
  /** What this request says that can be asked for. */
  readonly capabilities?: Shown;
  /** Told of each question in the middle of the request, and says whether somebody is asked; without it nobody is. */
  onQuestion?(question: UpstreamQuestion): boolean;
  readonly inputResponses?: Shown;
  readonly requestState?: string;
}

export interface UpstreamCall extends Asking {
  readonly tool: string;
  readonly input: Shown;
  /** Without an answer or a step ahead, and in all. */
  readonly timeoutMs: number;
  readonly mostMs: number;
  readonly signal: AbortSignal;
  onProgress(step: UpstreamProgress): void;
}

/** A request that is no call of a tool, in the words of the protocol. */
export interface UpstreamRequest extends Asking {
  readonly method: 'prompts/get' | 'resources/read' | 'completion/complete';
  readonly params: Shown;
  /** Without an answer or a step ahead, and in all. */
  readonly timeoutMs: number;
  readonly mostMs: number;
  readonly signal: AbortSignal;
  onProgress?(step: UpstreamProgress): void;
}

/** One connection to one provider; it ends when the server or the process behind it does. */
export interface UpstreamLink {
  readonly ended: boolean;
  /** What the server showed, read at most so long ago; list_changed makes what was read before too old. */
  surface(maxAgeMs: number, signal?: AbortSignal): Promise<ProviderSurface>;
  /** As it came, and bounded; nothing of it has been looked at. */
  call(call: UpstreamCall): Promise<Shown>;
  ask(request: UpstreamRequest): Promise<Shown>;
  /** Told when the server says that what it shows has changed. */
  onChanged(listener: () => void): void;
  /**
   * Hears of changes of these resources and no others, where the server tells them; not too often of each. Back when
   * they are followed, with those that the server refuses to tell of.
   */
  follow(uris: readonly string[], updated: (uri: string) => void): Promise<readonly string[]>;
  /** How many it follows. */
  readonly followed: number;
  /** Resolves when it has ended. */
  readonly over: Promise<void>;
  close(): Promise<void>;
  /** Processes it runs. */
  readonly processes: readonly number[];
  /** The newest lines of its standard error, and after them of what it logged by messages. */
  stderr(): string;
}

export interface Upstreams {
  connect(
    profile: Pick<ProviderProfile, 'id' | 'transport' | 'limits' | 'credentialRef' | 'custody' | 'relays'>,
    /** Whose credentials are sent, where each caller has its own. */
    user: string | null,
    /** Gives up what is not connected yet. */
    signal?: AbortSignal,
  ): Promise<UpstreamLink>;
  /** After all connections were closed. */
  close(): Promise<void>;
}

export type FailureKind =
  /** It could not be reached or started. */
  | 'connect'
  /** Nothing listens where it was. */
  | 'gone'
  | 'timeout'
  /** It takes a credential that is not there or that it does not accept; the message says what to do. */
  | 'credential'
  /** It says that it does not take this from us. */
  | 'forbidden'
  /** It does not know us any more, and says that it therefore did nothing. */
  | 'forgotten'
  /** The connection ended under way. */
  | 'ended'
  /** It answered with an error. */
  | 'refused'
  /** It answered with more than is taken. */
  | 'too_large'
  /** It answered with something that is no answer. */
  | 'invalid'
  /** What it shows of itself is too large, too deep or no list at all: it can be compared with nothing. */
  | 'unpinnable'
  | 'cancelled';

/** What went wrong with an upstream server. `words` are its own and untrusted; the message is ours. */
export class UpstreamFailure extends Error {
  readonly kind: FailureKind;
  /** True when the request may have reached the server. */
  readonly sent: boolean;
  readonly words: string | undefined;
  /** The number of the error it answered with. */
  readonly code: number | undefined;
  /** What it would have to ask the one who calls for, and was told that it cannot. */
  readonly wants: readonly Relay[] | undefined;
  /** What its program had to say, where that could not even be connected to; more may still come. */
  log: (() => string) | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    sent: boolean,
    words?: string,
    code?: number,
    wants?: readonly Relay[],
  ) {
    super(message);
    this.name = 'UpstreamFailure';
    this.kind = kind;
    this.sent = sent;
    this.words = words;
    this.code = code;
    this.wants = wants;
  }

  /** The same, told by somebody who knows whether the request may have reached the server. */
  asSent(sent: boolean): UpstreamFailure {
    const { kind, message, words, code, wants, log } = this;
    const same = new UpstreamFailure(kind, message, sent, words, code, wants);
    same.log = log;
    return same;
  }
}
