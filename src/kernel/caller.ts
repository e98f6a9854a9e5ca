/** Who a call is made for. It comes from the credential or the socket, never from arguments. */
import type { CredentialId, PrincipalId, RunId, ThreadId, WorkspaceId } from './ids.ts';
import type { Scope } from './scopes.ts';
import type { Origin } from './submission.ts';

export const PRINCIPAL_KINDS = ['author', 'agent', 'client', 'node', 'system'] as const;
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];

export interface Principal {
  readonly kind: PrincipalKind;
  readonly id: PrincipalId;
  /** What people call it; shown in history and audit. */
  readonly name: string;
}

/** From where a tool may be called: inside a sandbox, from the orchestrating side, or both. */
export const REACHES = ['sandbox', 'orchestrator', 'both'] as const;
export type Reach = (typeof REACHES)[number];

/** What a call is bound to. Ids that come in arguments are claims to be matched against this. */
export interface CallerContext {
  readonly workspace?: WorkspaceId;
  readonly project?: string;
  readonly task?: string;
  readonly job?: string;
  readonly run: RunId;
  readonly thread?: ThreadId;
}

/** The wire a call came in by. `admin` is the socket in the home directory, which only its owner can open. */
export const SURFACES = ['mcp-http', 'mcp-stdio', 'admin', 'in-process'] as const;
export type Surface = (typeof SURFACES)[number];

/** A named part of the catalogue. */
export interface Toolset {
  readonly name: string;
  /** Names and patterns of what is in it. */
  readonly tools: readonly string[];
  /** What a shortened list shows first, in this order. */
  readonly pinned: readonly string[];
}

/** What a caller's token is offered of what its role gives. */
export interface CallerOffer {
  readonly toolset: Toolset | null;
  readonly cap: number | null;
}

export interface Caller {
  readonly surface: Surface;
  readonly principal: Principal;
  readonly credential: CredentialId;
  readonly role: string;
  /** The role's scopes, narrowed by the credential. */
  readonly scopes: ReadonlySet<Scope>;
  readonly reach: Reach;
  /** The most trusted origin this caller's writes may have. */
  readonly allowedOrigin: Origin;
  /** What the client says of itself; it can only lower trust. */
  readonly declaredOrigin?: Origin;
  /** Absent = everything its role gives, in one list. */
  readonly offer?: CallerOffer;
  readonly context: CallerContext;
}
