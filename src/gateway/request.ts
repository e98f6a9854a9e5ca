/** What a surface hands to the gateway, and what it gets back. Nothing in here knows a transport. */
import type { Progress } from '../catalogue/call-context.ts';
import type { PromptMessage } from '../catalogue/prompt-definition.ts';
import type { Grant } from '../domain/governance/credentials.ts';
import type { Surface } from '../kernel/caller.ts';
import type { SluiceError } from '../kernel/errors.ts';
import type { CallId } from '../kernel/ids.ts';
import type { OnCancel } from './calls-in-flight.ts';

export type Target =
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: unknown }
  | { readonly kind: 'prompt'; readonly name: string; readonly arguments: unknown }
  | { readonly kind: 'resource'; readonly uri: string };

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
  readonly onProgress?: ((step: Progress) => void) | undefined;
}

export type Answer =
  | { readonly kind: 'tool'; readonly structured: Readonly<Record<string, unknown>>; readonly text: string }
  | { readonly kind: 'resource'; readonly uri: string; readonly mimeType: string; readonly text: string }
  | { readonly kind: 'prompt'; readonly messages: readonly PromptMessage[] };

export type Outcome =
  | { readonly ok: true; readonly callId: CallId; readonly answer: Answer }
  | { readonly ok: false; readonly callId: CallId; readonly error: SluiceError };
