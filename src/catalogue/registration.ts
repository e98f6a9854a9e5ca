/** The registration metadata that tools, resources and prompts all declare; every gate reads it and nothing else. */
import type { Reach } from '../kernel/caller.ts';
import type { Scope } from '../kernel/scopes.ts';
import type { DerivationRule, WriteKind } from '../kernel/submission.ts';
import { type Icon, isSafeIcon } from './content.ts';

export const EFFECTS = [
  'read_only',
  'local_side_effect',
  'external_side_effect',
  'sensitive_read',
  'unsupported_effect',
] as const;
export type Effect = (typeof EFFECTS)[number];

/** Ids that must be among the arguments and equal to what the caller is bound to. */
export type ScopedId = 'task_id' | 'job_id' | 'project_id' | 'run_id';

export interface Limits {
  readonly inputBytes: number;
  readonly outputBytes: number;
  readonly timeoutMs: number;
}

const DEFAULT_LIMITS: Limits = { inputBytes: 256 * 1024, outputBytes: 1024 * 1024, timeoutMs: 60_000 };

export interface WriteRegistration {
  readonly kind: WriteKind;
  /** The argument whose value the boundary tags with an origin. */
  readonly contentArgument?: string;
  readonly derivation: DerivationRule;
  /** Names sources; with the rule `read-trail`, which of what the run has read. */
  readonly derivationArgument?: string;
  /** True for a call that only adds: it goes in wherever the text is by then, and is kept for review without a base. */
  readonly adds?: (input: Readonly<Record<string, unknown>>) => boolean;
  /** What it brings in counts as imported, whoever brings it: a draft. */
  readonly imports?: true;
  /** For imports: the argument by which the owner takes them as canonical at once. */
  readonly canonicalArgument?: string;
}

export interface Registration {
  readonly name: string;
  readonly title: string;
  /** One sentence; lists, help and docs show it. */
  readonly summary: string;
  readonly scopes: readonly Scope[];
  /** Roles admitted; `any` leaves it to the roles' own allowlists. */
  readonly roles: 'any' | readonly string[];
  readonly reach: Reach;
  readonly effect: Effect;
  readonly sandboxEligible: boolean;
  readonly taskScoped: readonly ScopedId[];
  /** Answers `no_workspace` when the caller has none open. */
  readonly needsWorkspace: boolean;
  /** Still answers the owner at the machine when Sluice is switched off, so that it can be switched on again. */
  readonly survivesOffSwitch: boolean;
  readonly limits: Limits;
  readonly icons: readonly Icon[];
  /** `built-in`, or the provider whose it is. */
  readonly server: string;
  /** False for what is in no list and refused when called: held back. */
  readonly listed: boolean;
  /** Sluice's own business: absent for everybody else. */
  readonly internal: boolean;
  /**
   * Helps with tools of others, there only for callers who have some. No toolset takes it away: it leads to nothing
   * that the toolset does not name.
   */
  readonly helps: boolean;
  /** Finds other tools: there only for callers whose list is too short for all of them. */
  readonly finds: boolean;
  /** Its arguments name another tool and what that is called with; the pipeline calls that one. */
  readonly forwards: boolean;
  /** Whether a call waits for a person's yes: never, where the policy says so, always. */
  readonly approval: 'never' | 'policy' | 'always';
  /** What a yes and every record are bound to besides the call itself: a provider's tool as it was admitted. */
  readonly binding: string | null;
  /** Since when its server cannot be reached, asked at each list; null when it can, and for what is ours. */
  readonly staleSince: () => number | null;
}

export const BUILT_IN = 'built-in';

/** What a declaration may leave out, with what is then meant. */
export interface RegistrationDefaults {
  readonly roles?: Registration['roles'];
  readonly reach?: Reach;
  readonly sandboxEligible?: boolean;
  readonly taskScoped?: readonly ScopedId[];
  readonly needsWorkspace?: boolean;
  readonly survivesOffSwitch?: boolean;
  readonly limits?: Partial<Limits>;
  readonly icons?: readonly Icon[];
  readonly server?: string;
  readonly listed?: boolean;
  readonly internal?: boolean;
  readonly helps?: boolean;
  readonly finds?: boolean;
  readonly forwards?: boolean;
  readonly approval?: Registration['approval'];
  readonly binding?: string | null;
  readonly staleSince?: Registration['staleSince'];
}

export type DeclaredRegistration = Omit<Registration, keyof RegistrationDefaults> & RegistrationDefaults;

export function completeRegistration(declared: DeclaredRegistration): Registration {
  const { icons = [] } = declared;
  if (!icons.every(isSafeIcon))
    throw new TypeError(`An icon of "${declared.name}" is neither https nor an image in the address itself`);
  return {
    name: declared.name,
    title: declared.title,
    summary: declared.summary,
    scopes: declared.scopes,
    effect: declared.effect,
    roles: declared.roles ?? 'any',
    reach: declared.reach ?? 'both',
    sandboxEligible: declared.sandboxEligible ?? false,
    taskScoped: declared.taskScoped ?? [],
    needsWorkspace: declared.needsWorkspace ?? true,
    survivesOffSwitch: declared.survivesOffSwitch ?? false,
    limits: { ...DEFAULT_LIMITS, ...declared.limits },
    icons,
    server: declared.server ?? BUILT_IN,
    listed: declared.listed ?? !declared.internal,
    internal: declared.internal ?? false,
    helps: declared.helps ?? declared.finds ?? false,
    finds: declared.finds ?? false,
    forwards: declared.forwards ?? false,
    approval: declared.approval ?? 'never',
    binding: declared.binding ?? null,
    staleSince: declared.staleSince ?? (() => null),
  };
}

/** Only the owner, and also while everything is switched off or no workspace is open. */
export const OWNER_ONLY = {
  roles: ['owner'],
  reach: 'orchestrator',
  needsWorkspace: false,
  survivesOffSwitch: true,
} as const;
