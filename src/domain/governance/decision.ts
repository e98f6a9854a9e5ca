/**
 * The one decision about who may see and call what: five gates, all of which must say yes. Lists, calls,
 * prompts, resources, help and `policy explain` fold the same gates, so they cannot disagree.
 */
import type { Caller, CallerOffer, Reach } from '../../kernel/caller.ts';
import type { CredentialId } from '../../kernel/ids.ts';
import type { Scope } from '../../kernel/scopes.ts';
import { type AccessRule, matchingRules, needsRule } from './access-rules.ts';
import { matchesAny } from './name-pattern.ts';
import type { Role } from './roles.ts';
import { isOffered, type Offered } from './toolsets.ts';

/** What the gates look at; every entry of the catalogue has it. */
export interface Guarded extends Offered {
  readonly family: string;
  readonly scopes: readonly Scope[];
  readonly roles: 'any' | readonly string[];
  readonly reach: Reach;
  readonly survivesOffSwitch: boolean;
}

export interface Policy {
  readonly version: number;
  /** False = the administrator switched everything off. */
  readonly enabled: boolean;
  /** Patterns of single tools that are switched off. */
  readonly disabledTools: readonly string[];
  readonly roles: ReadonlyMap<string, Role>;
  readonly rules: readonly AccessRule[];
  /** What tokens are offered that are not offered everything. */
  readonly offers?: ReadonlyMap<CredentialId, CallerOffer>;
}

export const GATES = ['off_switch', 'role', 'reach', 'scope', 'access_rule'] as const;
export type GateName = (typeof GATES)[number];

export interface GateAnswer {
  readonly gate: GateName;
  readonly allowed: boolean;
  readonly reason: string;
}

export interface Decision {
  readonly allowed: boolean;
  /** In order; a decision stops at the first no, an explanation does not. */
  readonly answers: readonly GateAnswer[];
}

export function askGate(gate: GateName, policy: Policy, caller: Caller, entry: Guarded): GateAnswer {
  const { allowed, reason } = gates[gate](policy, caller, entry);
  return { gate, allowed, reason: reason() };
}

/** The same answer without its words, which most calls have no use for. */
export const passesGate = (gate: GateName, policy: Policy, caller: Caller, entry: Guarded): boolean =>
  gates[gate](policy, caller, entry).allowed;

export function decide(policy: Policy, caller: Caller, entry: Guarded): Decision {
  const answers: GateAnswer[] = [];
  for (const gate of GATES) {
    const answer = askGate(gate, policy, caller, entry);
    answers.push(answer);
    if (!answer.allowed) return { allowed: false, answers };
  }
  return { allowed: true, answers };
}

/** Every gate's answer, also after a no. */
export function explainDecision(policy: Policy, caller: Caller, entry: Guarded): Decision {
  const answers = GATES.map((gate) => askGate(gate, policy, caller, entry));
  return { allowed: answers.every((answer) => answer.allowed), answers };
}

interface Verdict {
  readonly allowed: boolean;
  reason(): string;
}

type Gate = (policy: Policy, caller: Caller, entry: Guarded) => Verdict;

const yes = (reason: () => string): Verdict => ({ allowed: true, reason });
const no = (reason: () => string): Verdict => ({ allowed: false, reason });

/** The owner at the machine keeps the tools that undo what was switched off or denied, or nobody could. */
const isSpared = (caller: Caller, entry: Guarded): boolean =>
  entry.survivesOffSwitch && caller.surface === 'admin' && caller.role === 'owner';

/** What a role lists is looked up for every call, and is another list after every change of it. */
function isListed(tools: readonly string[], name: string): boolean {
  let known = listed.get(tools);
  if (!known) {
    known = new Map();
    listed.set(tools, known);
  }
  let answer = known.get(name);
  if (answer === undefined) {
    answer = matchesAny(tools, name);
    if (known.size < MAX_LISTED) known.set(name, answer);
  }
  return answer;
}

const MAX_LISTED = 10_000;
const listed = new WeakMap<readonly string[], Map<string, boolean>>();

const gates: Record<GateName, Gate> = {
  off_switch(policy, caller, entry) {
    const spared = isSpared(caller, entry);
    if (!policy.enabled && !spared) return no(() => 'the administrator switched everything off');
    const pattern = policy.disabledTools.find((disabled) => matchesAny([disabled], entry.name));
    if (pattern !== undefined && !spared) return no(() => `the administrator switched "${pattern}" off`);
    return yes(() =>
      policy.enabled ? 'switched on' : 'switched off, but the owner at the machine may use it',
    );
  },
  role(policy, caller, entry) {
    const role = policy.roles.get(caller.role);
    if (!role) return no(() => `there is no role "${caller.role}"`);
    if (!isListed(role.tools, entry.name))
      return no(() => `the role "${role.name}" does not list "${entry.name}"`);
    const { roles } = entry;
    if (roles !== 'any' && !roles.includes(role.name)) {
      return no(() => `only ${roles.join(', ')} may use it, the caller is ${role.name}`);
    }
    if (caller.offer && !isOffered(caller.offer, entry))
      return no(() => `the toolset "${caller.offer?.toolset?.name}" does not hold "${entry.name}"`);
    return yes(() => `the role "${role.name}" (version ${role.version}) admits it`);
  },
  reach(_policy, caller, entry) {
    if (entry.reach === 'both' || caller.reach === 'both' || entry.reach === caller.reach) {
      return yes(() => `${caller.reach} reach suffices`);
    }
    return no(() => `it needs ${entry.reach} reach, the caller has ${caller.reach}`);
  },
  scope(_policy, caller, entry) {
    const missing = entry.scopes.filter((scope) => !caller.scopes.has(scope));
    if (missing.length > 0) return no(() => `the caller lacks ${missing.join(', ')}`);
    return yes(() =>
      entry.scopes.length > 0 ? `the caller holds ${entry.scopes.join(', ')}` : 'no scope needed',
    );
  },
  access_rule(policy, caller, entry) {
    if (isSpared(caller, entry)) return yes(() => 'no rule keeps the owner at the machine from it');
    const rules = matchingRules(policy.rules, caller, entry);
    const deny = rules.find((rule) => rule.effect === 'deny');
    if (deny) return no(() => `rule ${deny.id} denies it: ${deny.reason}`);
    const allow = rules.find((rule) => rule.effect === 'allow');
    if (allow) return yes(() => `rule ${allow.id} allows it: ${allow.reason}`);
    return needsRule(caller)
      ? no(() => 'no rule allows it')
      : yes(() => `${caller.principal.kind}s need no rule`);
  },
};
