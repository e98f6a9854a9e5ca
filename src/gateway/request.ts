/** What a surface hands to the gateway, and what it gets back. Nothing in here knows a transport. */
import type { LogLine, Progress } from '../catalogue/call-context.ts';
import type { Content, EmbeddedResource, Label } from '../catalogue/content.ts';
import type { Ability, InputAnswers, InputRequests } from '../catalogue/input-request.ts';
import type { PromptMessage } from '../catalogue/prompt-definition.ts';
import type { Grant } from '../domain/governance/credentials.ts';
import type { Surface } from '../kernel/caller.ts';
import type { SluiceError } from '../kernel/errors.ts';
import type { CallId } from '../kernel/ids.ts';
import type { OnCancel } from './calls-in-flight.ts';

export type Target =
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: unknown }
  | { readonly kind: 'prompt'; readonly name: string; readonly arguments: unknown }
  | { readonly kind: 'resource'; readonly uri: string }
  /** Following a resource: what it shows, for whoever tells of changes. */
  | { readonly kind: 'subscription'; readonly uri: string }
  | CompletionTarget;

/** Suggestions for one argument of a prompt, or one variable of a resource's template. */
export interface CompletionTarget {
  readonly kind: 'completion';
  readonly of:
    | { readonly kind: 'prompt'; readonly name: string }
    | { readonly kind: 'template'; readonly uri: string };
  readonly argument: string;
  readonly value: string;
  readonly others: Readonly<Record<string, string>>;
}

/** How the caller proves who it is: a token, or a grant that was accepted before and is looked up again. */
export type Presented =
  | { readonly kind: 'bearer'; readonly token: string; readonly surface: Surface }
  | { readonly kind: 'grant'; readonly grant: Grant };

/** What a caller says about its call besides the arguments. Claims, all of them. */
export interface CallClaims {
  readonly run?: string | undefined;
  readonly thread?: string | undefined;
  readonly origin?: string | undefined;
  /** For callers that are bound to no workspace. */
  readonly workspace?: string | undefined;
  /** The yes it wants to use; without one, whichever fits. */
  readonly approval?: string | undefined;
  /** The session of a client that has one; its run. */
  readonly session?: string | undefined;
}

export interface CallRequest {
  readonly target: Target;
  readonly presented: Presented;
  readonly claims: CallClaims;
  /** Where the request came from, for refusals without an identity. */
  readonly source: string;
  /** Size of the request on the wire, where there was one. */
  readonly bytes?: number | undefined;
  readonly onCancel?: OnCancel | undefined;
  /** Where a request stays open while its caller is asked: what to call when the caller gives up meanwhile. */
  readonly onGone?: OnCancel | undefined;
  readonly onProgress?: ((step: Progress) => void) | undefined;
  readonly onLog?: ((line: LogLine) => void) | undefined;
  /** What the one who calls can be asked for on the way. */
  readonly abilities?: readonly Ability[] | undefined;
  /** Of a call that was given up to ask for something. */
  readonly resume?: { readonly answers: InputAnswers; readonly state?: string | undefined } | undefined;
  /** What the transport repeats of the arguments; absent where it repeats nothing. */
  readonly mirrored?: ((name: string) => string | undefined) | undefined;
}

/** `text` is what is measured, kept and digested; with `content` the tool answered in blocks of its own. */
export interface ToolAnswer {
  readonly kind: 'tool';
  readonly text: string;
  readonly structured?: Readonly<Record<string, unknown>>;
  /** The structure is no object, but what stands as its `result`. */
  readonly bare?: boolean;
  /** What the tool declares about its structure. */
  readonly declared?: Readonly<Record<string, unknown>>;
  readonly content?: readonly Content[];
  readonly isError?: boolean;
  readonly label?: Label;
  /** Beside the answer and no part of what is kept or digested. */
  readonly arguments?: ArgumentNote;
}

/** What became of arguments that the tool does not have. */
export interface ArgumentNote {
  /** All of it in words. */
  readonly note: string;
  readonly ignored?: readonly { readonly argument: string; readonly meant?: string }[];
  /** How many more were ignored without being named. */
  readonly others?: number;
  readonly read?: readonly { readonly argument: string; readonly as: string }[];
}

/** Where every wire says it, in `_meta` of the answer. */
export const ARGUMENTS = 'dev.sluice/arguments';

/** An answer where there are no blocks: its facts, and what there is to say of the arguments. */
export function factsOf({
  structured,
  content,
  isError,
  arguments: note,
}: ToolAnswer): Record<string, unknown> {
  const facts = structured ? { ...structured } : { content, ...(isError && { isError }) };
  return note ? { ...facts, _meta: { [ARGUMENTS]: note } } : facts;
}

export type Answer =
  | ToolAnswer
  | { readonly kind: 'resource'; readonly contents: readonly EmbeddedResource[]; readonly label?: Label }
  | { readonly kind: 'prompt'; readonly messages: readonly PromptMessage[]; readonly label?: Label }
  | { readonly kind: 'completion'; readonly values: readonly string[]; readonly more: boolean }
  /** The id of what the resource shows; null for everything in the workspace, undefined for what never changes. */
  | { readonly kind: 'subscription'; readonly follows: string | null | undefined }
  /** The call gave itself up to ask; made again with answers and state, it goes on. */
  | { readonly kind: 'question'; readonly requests: InputRequests; readonly state: string };

export type Outcome =
  | { readonly ok: true; readonly callId: CallId; readonly answer: Answer }
  | { readonly ok: false; readonly callId: CallId; readonly error: SluiceError };
