/** What the submit boundary makes of a write: content, kind, origin, lifecycle, derivation and who it was. */
import type { Caller } from './caller.ts';
import type { CallId, ProposalId, WorkspaceId } from './ids.ts';
import type { Sight } from './sight.ts';

/** Ordered from most to least trusted. Set by the boundary, kept for ever. */
export const ORIGINS = ['authored', 'agent-produced', 'imported'] as const;
export type Origin = (typeof ORIGINS)[number];

export const LIFECYCLES = ['draft', 'candidate', 'canonical'] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

export const WRITE_KINDS = [
  'page',
  'block',
  'property',
  'tag',
  'attachment',
  'permission',
  'memory',
  'artifact',
  'preference',
  'setting',
  'credential',
  'policy',
  'workspace',
  'audit',
  'provider',
  'review',
  'approval',
] as const;
export type WriteKind = (typeof WRITE_KINDS)[number];

/** Kinds of content that an author's yes makes canonical; a writer of them may answer with a proposal. */
export const REVIEWED_KINDS: readonly WriteKind[] = [
  'page',
  'block',
  'property',
  'tag',
  'attachment',
  'memory',
];

/** Where a tool's derivation sources come from. Reading is not derivation: only this rule makes it one. */
export const DERIVATION_RULES = ['argument', 'read-trail', 'both', 'none'] as const;
export type DerivationRule = (typeof DERIVATION_RULES)[number];

/** An entity at the version it had when it was read. */
export interface EntityVersion {
  readonly kind: 'page' | 'memory';
  readonly id: string;
  readonly version: string;
}

/** An author's yes to a proposal. */
export interface Acceptance {
  readonly by: Caller;
  readonly proposal: ProposalId;
  /** The call that said yes. */
  readonly callId: CallId;
  /** What the author agreed to change; nothing else may be changed by it. */
  readonly entities: ReadonlySet<string>;
  /** The author knows that what it would replace or remove has changed since. */
  readonly despiteChanges?: boolean;
}

/** A run that is always taken back, to find out what a call would do. */
export interface Rehearsal {
  concerns(entity: EntityVersion): void;
}

export interface Submission {
  readonly kind: WriteKind;
  readonly callId: CallId;
  readonly tool: string;
  readonly caller: Caller;
  readonly workspace?: WorkspaceId;
  /** What the caller may do where; left out = all that its role allows. */
  readonly sight?: Sight;
  /** True while nobody may write into the workspace. */
  readonly readOnly?: boolean;
  readonly origin: Origin;
  /** The most final lifecycle this write may have. */
  readonly lifecycle: Lifecycle;
  /** What the declared content argument held. */
  readonly content?: unknown;
  readonly derivedFrom: readonly EntityVersion[];
  /** The tool's content is always made from something: without a source it is not written. */
  readonly derived?: boolean;
  readonly at: number;
  /** Who wrote it stays who wrote it; this says who let it in. */
  readonly accepted?: Acceptance;
  readonly rehearsal?: Rehearsal;
}

/** The less trusted of the two. */
export function lowerTrust(a: Origin, b: Origin): Origin {
  return ORIGINS.indexOf(a) >= ORIGINS.indexOf(b) ? a : b;
}
