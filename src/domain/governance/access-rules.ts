/** Access rules: for agents and clients nothing is allowed without a rule, and any matching deny wins. */
import type { Caller } from '../../kernel/caller.ts';
import type { RuleId } from '../../kernel/ids.ts';
import { OWNER } from './credentials.ts';
import { matchesPattern } from './name-pattern.ts';

export const SUBJECT_TYPES = ['system', 'role', 'client', 'agent', 'user', 'project', 'task'] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

export interface AccessRule {
  readonly id: RuleId;
  readonly subjectType: SubjectType;
  /** Null for `system`, which means everybody. */
  readonly subjectId: string | null;
  /** `tool` matches names of tools, prompts and resources; `family` matches the families they belong to. */
  readonly resourceType: 'tool' | 'family';
  readonly pattern: string;
  readonly effect: 'allow' | 'deny';
  /** Orders the reasons shown; it never makes an allow beat a deny. */
  readonly priority: number;
  readonly reason: string;
}

const allowFamily = (role: string, family: string): AccessRule => ({
  id: `default:${role}:${family}` as RuleId,
  subjectType: 'role',
  subjectId: role,
  resourceType: 'family',
  pattern: family,
  effect: 'allow',
  priority: 0,
  reason: `${role}s may use the ${family} family within their scopes`,
});

/** What every home has, unless its owner took it away: families that are safe to offer within a role's scopes. */
export const DEFAULT_RULES: readonly AccessRule[] = [
  ...['agent', 'client', 'reader', 'editor', 'reviewer', 'worker'].flatMap((role) =>
    ['workspace', 'memory', 'control'].map((family) => allowFamily(role, family)),
  ),
  // What of them may be called was admitted by a person, tool by tool.
  ...['agent', 'client'].map((role) => allowFamily(role, 'providers')),
];

export interface RuleTarget {
  readonly name: string;
  readonly family: string;
}

/** Rules that speak about this caller and target, the most important first. */
export function matchingRules(
  rules: readonly AccessRule[],
  caller: Caller,
  target: RuleTarget,
): readonly AccessRule[] {
  return rules
    .filter((rule) => speaksOf(rule, caller) && matchesPattern(rule.pattern, nameFor(rule, target)))
    .sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
}

/** People decide for themselves; everybody else needs a rule. */
export const needsRule = (caller: Caller): boolean =>
  caller.principal.kind !== 'author' && caller.principal.kind !== 'system';

/** Whether a client of this name and role is allowed anything at all by a rule. */
export const isAllowedSomething = (rules: readonly AccessRule[], client: string, role: string): boolean =>
  rules.some(
    ({ effect, subjectType, subjectId }) =>
      effect === 'allow' &&
      (subjectType === 'system' ||
        (subjectType === 'role' && subjectId === role) ||
        (subjectType === 'client' && subjectId === client)),
  );

function nameFor(rule: AccessRule, target: RuleTarget): string {
  return rule.resourceType === 'family' ? target.family : target.name;
}

function speaksOf(rule: AccessRule, caller: Caller): boolean {
  switch (rule.subjectType) {
    case 'system':
      return true;
    case 'role':
      return rule.subjectId === caller.role;
    case 'client':
      return isClient(caller) && isNamed(rule, caller);
    case 'agent':
      return caller.principal.kind === 'agent' && isNamed(rule, caller);
    case 'user':
      return caller.principal.kind === 'author' && isNamed(rule, caller);
    case 'project':
      return rule.subjectId === caller.context.project;
    case 'task':
      return rule.subjectId === caller.context.task;
  }
}

/** Also one that speaks for a person; the owner is nobody's client. */
const isClient = ({ principal }: Caller): boolean =>
  principal.kind === 'client' || (principal.kind === 'author' && principal.id !== OWNER.id);

const isNamed = (rule: AccessRule, caller: Caller): boolean =>
  rule.subjectId === caller.principal.name || rule.subjectId === caller.principal.id;
