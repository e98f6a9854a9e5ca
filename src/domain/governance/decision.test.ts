import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../../test/support/seed.ts';
import type { Caller, PrincipalKind, Reach } from '../../kernel/caller.ts';
import type { CredentialId, PrincipalId, RuleId, RunId } from '../../kernel/ids.ts';
import type { Scope } from '../../kernel/scopes.ts';
import { type AccessRule, DEFAULT_RULES, SUBJECT_TYPES } from './access-rules.ts';
import { OWNER } from './credentials.ts';
import { askGate, decide, explainDecision, GATES, type Guarded, type Policy } from './decision.ts';
import { DEFAULT_ROLES } from './roles.ts';

interface CallerWish {
  readonly kind?: PrincipalKind;
  readonly name?: string;
  readonly role?: string;
  readonly scopes?: readonly Scope[];
  readonly reach?: Reach;
  readonly surface?: Caller['surface'];
  readonly task?: string;
  readonly project?: string;
}

const callerOf = (wish: CallerWish = {}): Caller => ({
  surface: wish.surface ?? 'mcp-http',
  principal: {
    kind: wish.kind ?? 'client',
    id: `${wish.kind ?? 'client'}:${wish.name ?? 'ann'}` as PrincipalId,
    name: wish.name ?? 'ann',
  },
  credential: 'c' as CredentialId,
  role: wish.role ?? 'client',
  scopes: new Set(wish.scopes ?? ['workspace.read']),
  reach: wish.reach ?? 'orchestrator',
  allowedOrigin: 'agent-produced',
  context: {
    run: 'r' as RunId,
    ...(wish.task !== undefined && { task: wish.task }),
    ...(wish.project !== undefined && { project: wish.project }),
  },
});

const entryOf = (wish: Partial<Guarded> = {}): Guarded => ({
  name: 'read_page',
  family: 'workspace',
  scopes: ['workspace.read'],
  roles: 'any',
  reach: 'both',
  survivesOffSwitch: false,
  ...wish,
});

const ruleOf = (wish: Partial<AccessRule>): AccessRule => ({
  id: (wish.id ?? 'r1') as RuleId,
  subjectType: 'system',
  subjectId: null,
  resourceType: 'tool',
  pattern: '**',
  effect: 'allow',
  priority: 0,
  reason: 'because',
  ...wish,
});

const policyOf = (wish: Partial<Policy> = {}): Policy => ({
  version: 1,
  enabled: true,
  disabledTools: [],
  roles: new Map(DEFAULT_ROLES.map((role) => [role.name, role])),
  rules: DEFAULT_RULES,
  ...wish,
});

const refusedBy = (policy: Policy, caller: Caller, entry: Guarded): string | undefined =>
  decide(policy, caller, entry).answers.find((answer) => !answer.allowed)?.gate;

describe('[POL-04] a decision', () => {
  it('needs every gate, and stops at the first no in the order of the gates', () => {
    expect(GATES).toEqual(['off_switch', 'role', 'reach', 'scope', 'access_rule']);
    // Each of these fails its own gate and all that come after it.
    const failing: [string, Policy, Caller, Guarded][] = [];
    const nobody = callerOf({ role: 'ghost', scopes: [], reach: 'sandbox' });
    const listed = callerOf({ role: 'client', scopes: [], reach: 'sandbox' });
    const reached = callerOf({ role: 'client', scopes: [] });
    const scoped = callerOf();
    const entry = entryOf({ reach: 'orchestrator' });
    const strict = policyOf({ rules: [] });
    failing.push(['off_switch', policyOf({ enabled: false, rules: [] }), nobody, entry]);
    failing.push(['off_switch', policyOf({ disabledTools: ['read_*'], rules: [] }), nobody, entry]);
    failing.push(['role', strict, nobody, entry]);
    failing.push(['reach', strict, listed, entry]);
    failing.push(['scope', strict, reached, entry]);
    failing.push(['access_rule', strict, scoped, entry]);
    for (const [gate, policy, caller, target] of failing) {
      expect(refusedBy(policy, caller, target)).toBe(gate);
      expect(decide(policy, caller, target).answers).toHaveLength(GATES.indexOf(gate as 'role') + 1);
    }
    expect(decide(policyOf(), scoped, entry).allowed).toBe(true);
  });

  it('is the same as its explanation, which goes on after a no', () => {
    const policies = fc.record({
      enabled: fc.boolean(),
      disabledTools: fc.subarray(['read_page', 'read_*', 'a.**']),
      rules: fc.array(
        fc.record({
          subjectType: fc.constantFrom(...SUBJECT_TYPES),
          subjectId: fc.constantFrom('client', 'ann', 'client:ann', 'owner', 't1', 'p1'),
          resourceType: fc.constantFrom('tool', 'family'),
          pattern: fc.constantFrom('**', 'workspace', 'read_page', 'db.*', '*_page'),
          effect: fc.constantFrom('allow', 'deny'),
          priority: fc.integer({ min: -5, max: 5 }),
        }),
        { maxLength: 6 },
      ),
    });
    const callers = fc.record({
      kind: fc.constantFrom('client', 'agent', 'author', 'node', 'system'),
      role: fc.constantFrom('client', 'owner', 'worker', 'reader', 'ghost'),
      scopes: fc.subarray<Scope>(['workspace.read', 'workspace.propose', 'audit.read']),
      reach: fc.constantFrom('sandbox', 'orchestrator', 'both'),
      surface: fc.constantFrom('admin', 'mcp-http', 'in-process'),
      task: fc.constantFrom('t1', 't2'),
      project: fc.constantFrom('p1', 'p2'),
    });
    const entries = fc.record({
      name: fc.constantFrom('read_page', 'create_page', 'db.get', 'a.b.c'),
      family: fc.constantFrom('workspace', 'control', 'settings'),
      scopes: fc.subarray<Scope>(['workspace.read', 'workspace.propose', 'audit.read']),
      roles: fc.constantFrom('any' as const, ['owner'], ['client', 'worker']),
      reach: fc.constantFrom('sandbox', 'orchestrator', 'both'),
      survivesOffSwitch: fc.boolean(),
    });
    fc.assert(
      fc.property(policies, callers, entries, (given, caller, entry) => {
        const rules = given.rules.map((rule, i) =>
          ruleOf({
            ...(rule as Partial<AccessRule>),
            id: `r${i}` as RuleId,
            ...(rule.subjectType === 'system' && { subjectId: null }),
          }),
        );
        const policy = policyOf({ ...given, rules });
        const who = callerOf(caller as CallerWish);
        const decided = decide(policy, who, entry as Guarded);
        const explained = explainDecision(policy, who, entry as Guarded);
        expect(explained.allowed).toBe(decided.allowed);
        expect(explained.answers).toHaveLength(GATES.length);
        expect(explained.answers.slice(0, decided.answers.length)).toEqual(decided.answers);
        const spared = entry.survivesOffSwitch && who.surface === 'admin' && who.role === 'owner';
        if (spared) return;
        // A deny that matches is never outvoted, whatever its priority.
        const denied = [...rules, ruleOf({ effect: 'deny', priority: -1_000 })];
        const answer = askGate('access_rule', policyOf({ ...given, rules: denied }), who, entry as Guarded);
        expect(answer.allowed).toBe(false);
        const needless = ['author', 'system'].includes(who.principal.kind);
        if (rules.length === 0) {
          expect(askGate('access_rule', policy, who, entry as Guarded).allowed).toBe(needless);
        }
      }),
      { seed: testSeed(), numRuns: 500 },
    );
  });
});

describe('[POL-05] the off switch', () => {
  const off = policyOf({ enabled: false });
  const owner = { kind: 'author', role: 'owner', reach: 'both', scopes: ['settings.manage'] } as const;
  const control = entryOf({
    name: 'set_mcp_enabled',
    family: 'settings',
    scopes: ['settings.manage'],
    survivesOffSwitch: true,
  });

  it('leaves to the owner at the machine what switches on again, and to nobody else', () => {
    expect(refusedBy(off, callerOf({ ...owner, surface: 'admin' }), control)).toBeUndefined();
    expect(refusedBy(off, callerOf({ ...owner, surface: 'mcp-http' }), control)).toBe('off_switch');
    expect(refusedBy(off, callerOf({ ...owner, role: 'editor', surface: 'admin' }), control)).toBe(
      'off_switch',
    );
    expect(refusedBy(off, callerOf({ ...owner, surface: 'admin' }), entryOf())).toBe('off_switch');
  });

  it('and no rule either keeps the owner at the machine from undoing them', () => {
    const locked = policyOf({ rules: [ruleOf({ effect: 'deny' })], disabledTools: ['**'] });
    expect(refusedBy(locked, callerOf({ ...owner, surface: 'admin' }), control)).toBeUndefined();
    expect(refusedBy(locked, callerOf({ ...owner, surface: 'mcp-http' }), control)).toBe('off_switch');
  });

  it('of a single tool beats roles, scopes and rules', () => {
    const policy = policyOf({ disabledTools: ['read_page'], rules: [ruleOf({ priority: 1_000 })] });
    expect(refusedBy(policy, callerOf({ ...owner, scopes: ['workspace.read'] }), entryOf())).toBe(
      'off_switch',
    );
    expect(refusedBy(policy, callerOf(), entryOf({ name: 'create_page' }))).toBeUndefined();
  });
});

describe('[POL-06] the role gate', () => {
  it('wants both the role’s own list and the tool’s', () => {
    const roles = new Map([
      ['narrow', { name: 'narrow', tools: ['read_*'], scopes: [], reach: 'both', version: 1 } as const],
    ]);
    const policy = policyOf({ roles });
    const caller = callerOf({ role: 'narrow' });
    expect(askGate('role', policy, caller, entryOf()).allowed).toBe(true);
    expect(askGate('role', policy, caller, entryOf({ name: 'create_page' })).allowed).toBe(false);
    expect(askGate('role', policy, caller, entryOf({ roles: ['owner'] })).allowed).toBe(false);
    expect(askGate('role', policy, caller, entryOf({ roles: ['narrow'] })).allowed).toBe(true);
    expect(askGate('role', policy, callerOf({ role: 'gone' }), entryOf()).allowed).toBe(false);
  });
});

describe('[POL-07] reach', () => {
  it.each<[Reach, Reach, boolean]>([
    ['sandbox', 'sandbox', true],
    ['sandbox', 'both', true],
    ['sandbox', 'orchestrator', false],
    ['orchestrator', 'sandbox', false],
    ['orchestrator', 'both', true],
    ['orchestrator', 'orchestrator', true],
    ['both', 'sandbox', true],
    ['both', 'orchestrator', true],
  ])('of a caller %s to a tool %s: %s', (reach, wanted, allowed) => {
    const answer = askGate('reach', policyOf(), callerOf({ reach }), entryOf({ reach: wanted }));
    expect(answer.allowed).toBe(allowed);
  });
});

describe('[POL-08] access rules', () => {
  const answer = (rules: readonly AccessRule[], caller: Caller = callerOf(), entry = entryOf()) =>
    askGate('access_rule', policyOf({ rules }), caller, entry);

  it.each<[PrincipalKind, boolean]>([
    ['client', false],
    ['agent', false],
    ['node', false],
    ['author', true],
    ['system', true],
  ])('are what a %s needs before anything is allowed: without any it is %s', (kind, allowed) => {
    expect(answer([], callerOf({ kind })).allowed).toBe(allowed);
  });

  it('deny also those who need none', () => {
    expect(answer([ruleOf({ effect: 'deny' })], callerOf({ kind: 'author' })).allowed).toBe(false);
  });

  it('[POL-22] about a client hold for its token also when that speaks for a person, and never for the owner', () => {
    const rule = ruleOf({ subjectType: 'client', subjectId: 'ann', effect: 'deny' });
    expect(answer([rule], callerOf({ kind: 'author' })).allowed).toBe(false);
    const about = ruleOf({ subjectType: 'client', subjectId: OWNER.name, effect: 'deny' });
    expect(answer([about], { ...callerOf({ kind: 'author' }), principal: OWNER }).allowed).toBe(true);
  });

  it('let any deny win over every allow, whatever the priorities', () => {
    const allow = ruleOf({ id: 'a' as RuleId, priority: 1_000 });
    const deny = ruleOf({ id: 'b' as RuleId, effect: 'deny', priority: -1_000 });
    for (const rules of [
      [allow, deny],
      [deny, allow],
    ]) {
      expect(answer(rules)).toMatchObject({ allowed: false, reason: 'rule b denies it: because' });
    }
  });

  it('show the reason with the highest priority first, then by id', () => {
    const rules = [
      ruleOf({ id: 'c' as RuleId, priority: 1 }),
      ruleOf({ id: 'b' as RuleId, priority: 2 }),
      ruleOf({ id: 'a' as RuleId, priority: 2 }),
    ];
    expect(answer(rules).reason).toBe('rule a allows it: because');
  });

  it.each<[string, Partial<AccessRule>, CallerWish, boolean]>([
    ['everybody', { subjectType: 'system', subjectId: null }, {}, true],
    ['a role', { subjectType: 'role', subjectId: 'client' }, {}, true],
    ['another role', { subjectType: 'role', subjectId: 'agent' }, {}, false],
    ['a client by name', { subjectType: 'client', subjectId: 'ann' }, {}, true],
    ['a client by id', { subjectType: 'client', subjectId: 'client:ann' }, {}, true],
    ['an agent of the same name', { subjectType: 'agent', subjectId: 'ann' }, {}, false],
    ['an agent', { subjectType: 'agent', subjectId: 'ann' }, { kind: 'agent' }, true],
    ['a person of the same name', { subjectType: 'user', subjectId: 'ann' }, {}, false],
    ['a task', { subjectType: 'task', subjectId: 't1' }, { task: 't1' }, true],
    ['another task', { subjectType: 'task', subjectId: 't1' }, { task: 't2' }, false],
    ['a task without one', { subjectType: 'task', subjectId: 't1' }, {}, false],
    ['a project', { subjectType: 'project', subjectId: 'p1' }, { project: 'p1' }, true],
    ['another project', { subjectType: 'project', subjectId: 'p1' }, { project: 'p2' }, false],
  ])('speak of %s', (_, rule, wish, allowed) => {
    expect(answer([ruleOf(rule)], callerOf(wish)).allowed).toBe(allowed);
  });

  it('are about names of tools or of families', () => {
    const family = ruleOf({ resourceType: 'family', pattern: 'workspace' });
    expect(answer([family]).allowed).toBe(true);
    expect(answer([family], callerOf(), entryOf({ family: 'control' })).allowed).toBe(false);
    expect(answer([ruleOf({ pattern: 'workspace' })]).allowed).toBe(false);
    expect(answer([ruleOf({ pattern: 'read_*' })]).allowed).toBe(true);
  });

  it('[POL-21] begin with the workspace, memory and control families for programs, and admitted providers for some', () => {
    expect(DEFAULT_RULES.every((rule) => rule.effect === 'allow' && rule.resourceType === 'family')).toBe(
      true,
    );
    const pairs = DEFAULT_RULES.map((rule) => `${rule.subjectId} ${rule.pattern}`).sort();
    const roles = ['agent', 'client', 'reader', 'editor', 'reviewer', 'worker'];
    const common = roles.flatMap((role) =>
      ['control', 'memory', 'workspace'].map((family) => `${role} ${family}`),
    );
    expect(pairs).toEqual([...common, 'agent providers', 'client providers'].sort());
  });
});
