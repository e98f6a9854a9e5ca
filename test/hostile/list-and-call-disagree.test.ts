/** Looks for a caller, a role, a rule or a switch with which lists and calls do not agree. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, composeApp } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Grant } from '../../src/gateway/gateway.ts';
import type { Target } from '../../src/gateway/request.ts';
import { PRINCIPAL_KINDS, REACHES } from '../../src/kernel/caller.ts';
import type { CredentialId, PrincipalId } from '../../src/kernel/ids.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { SCOPES, type Scope } from '../../src/kernel/scopes.ts';
import { bindFixtures } from '../support/fixture-family.ts';
import { addClient } from '../support/owner.ts';
import { type RunningServer, startServer } from '../support/process.ts';
import { times } from '../support/random.ts';
import { testSeed } from '../support/seed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { UNLIMITED } from '../support/unlimited.ts';
import { modernHttp, namesIn } from '../support/wires.ts';

let app: App;
beforeAll(async () => {
  const home = temporaryFolder();
  const { config } = loadConfig(home, {}, UNLIMITED);
  app = await composeApp({ home, config, log: silentLog, families: [bindFixtures()] });
});
afterAll(() => app?.close());

const ROLES = ['role_a', 'role_b', 'client', 'agent', 'reader', 'owner', 'no_such_role'];
const PATTERNS = [
  '**',
  '*',
  'get_*',
  '*_page',
  'audit.*',
  'policy.**',
  'search',
  'workspace_*',
  'fixture.*',
  'x',
];
const FAMILIES = ['workspace', 'control', 'audit', 'policy', 'settings', '*', 'nothing'];

const someOf = <T>(items: readonly T[]) => fc.subarray([...items]);
const role = fc.record({
  name: fc.constantFrom('role_a', 'role_b'),
  tools: someOf(PATTERNS),
  scopes: someOf(SCOPES),
  reach: fc.constantFrom(...REACHES),
});
const rule = fc
  .record({
    subject_type: fc.constantFrom('system', 'role', 'client', 'agent', 'user'),
    subject: fc.constantFrom('role_a', 'role_b', 'somebody', 'client'),
    target: fc.oneof(
      fc.record({ resource_type: fc.constant('tool'), pattern: fc.constantFrom(...PATTERNS) }),
      fc.record({ resource_type: fc.constant('family'), pattern: fc.constantFrom(...FAMILIES) }),
    ),
    effect: fc.constantFrom('allow', 'allow', 'deny'),
  })
  .map(({ subject_type, subject, target, effect }) => ({
    subject_type,
    subject: subject_type === 'system' ? null : subject,
    ...target,
    effect,
    reason: 'random',
  }));
const caller = fc.record({
  role: fc.constantFrom(...ROLES),
  kind: fc.constantFrom(...PRINCIPAL_KINDS),
  scopes: fc.option(someOf(SCOPES) as fc.Arbitrary<Scope[]>),
});

function grantFor({
  role: name,
  kind,
  scopes,
}: {
  role: string;
  kind: Grant['principal']['kind'];
  scopes: readonly Scope[] | null;
}): Grant {
  return {
    credential: 'in-process:random' as CredentialId,
    principal: { kind, id: `${kind}:somebody` as PrincipalId, name: 'somebody' },
    role: name,
    scopes,
    workspace: null,
    origin: 'agent-produced',
    nameForm: 'dotted',
    surface: 'in-process',
  };
}

async function asOwner(tool: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const grant = { ...grantFor({ role: 'owner', kind: 'author', scopes: null }), surface: 'admin' as const };
  const outcome = await ask(grant, { kind: 'tool', name: tool, arguments: input });
  if (!outcome.ok) throw outcome.error;
  return outcome.answer.kind === 'tool' ? { ...outcome.answer.structured } : {};
}

const ask = (grant: Grant, target: Target) =>
  app.gateway.call({ target, presented: { kind: 'grant', grant }, claims: {}, source: 'test' });

/** No tool gets further than the look at its arguments, so that nothing changes meanwhile. */
const NONSENSE = Object.fromEntries(
  ['page', 'query', 'title', 'name', 'port', 'enabled', 'rule', 'caller', 'workspace', 'path', 'call_id'].map(
    (field) => [field, []],
  ),
);

async function isThere(grant: Grant, target: Target): Promise<boolean> {
  const outcome = await ask(grant, target);
  return outcome.ok || !['unknown_tool', 'resource_not_found'].includes(outcome.error.code);
}

async function listed(
  grant: Grant,
  what: 'tools' | 'prompts' | 'resources' | 'templates',
): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const presented = { kind: 'grant', grant } as const;
    const page = await app.gateway.list(what, { presented, claims: {}, source: 'test', cursor });
    names.push(...page.items.map((item) => ('uri' in item ? item.uri : item.name)));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return names.sort();
}

async function callable(
  names: readonly string[],
  grant: Grant,
  target: (name: string) => Target,
): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) if (await isThere(grant, target(name))) found.push(name);
  return found.sort();
}

it('[HOST-03] lists exactly what can be called, for any caller under any policy', async () => {
  const { tools, prompts, resources } = app.catalogue;
  // This one takes no arguments that could be wrong; calling it for nothing would end other tests' tokens.
  const names = tools.map((tool) => tool.name).filter((name) => name !== 'regenerate_mcp_token');
  const uris = resources.filter((one) => one.uri.variables.length === 0).map((one) => one.uri.text);
  const templates = resources.filter((one) => one.uri.variables.length > 0).map((one) => one.uri.text);
  const check = fc.asyncProperty(
    fc.array(role, { maxLength: 2 }),
    fc.array(rule, { maxLength: 6 }),
    someOf(['search', 'get_*', 'audit.*', 'weekly_review', 'workspace_tree']),
    fc.array(caller, { minLength: 1, maxLength: 3 }),
    async (roles, rules, disabled, callers) => {
      for (const one of roles) await asOwner('policy.role.set', one);
      const ids: unknown[] = [];
      for (const one of rules) ids.push(((await asOwner('policy.rule.add', one)).rule as { id: string }).id);
      for (const tool of disabled) await asOwner('set_tool_enabled', { tool, enabled: false });
      try {
        for (const one of callers) {
          const grant = grantFor(one);
          const tool = (name: string): Target => ({ kind: 'tool', name, arguments: NONSENSE });
          const offered = (await listed(grant, 'tools')).filter((name) => name !== 'regenerate_mcp_token');
          expect(await callable(names, grant, tool)).toEqual(offered);
          const prompt = (name: string): Target => ({ kind: 'prompt', name, arguments: { page: [] } });
          const promptNames = prompts.map(({ name }) => name);
          expect(await callable(promptNames, grant, prompt)).toEqual(await listed(grant, 'prompts'));
          const resource = (uri: string): Target => ({ kind: 'resource', uri });
          expect(await callable(uris, grant, resource)).toEqual(await listed(grant, 'resources'));
          expect(await visibleTemplates(grant, templates)).toEqual(await listed(grant, 'templates'));
          expect(await toldByTool(grant, offered)).toEqual(offered);
        }
      } finally {
        for (const id of ids) await asOwner('policy.rule.remove', { rule: id });
        for (const pattern of disabled) await asOwner('set_tool_enabled', { tool: pattern, enabled: true });
      }
    },
  );
  await fc.assert(check, { seed: testSeed(), numRuns: times(25, 400) });
}, 300_000);

/** A page that is not there is told apart from a template that is not there by what the log says. */
async function visibleTemplates(grant: Grant, templates: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const template of templates) {
    const explained = await app.gateway.explain(grant, template.replace(/\{\w+\}/, 'nothing'));
    if (explained.answers?.every((answer) => answer.allowed)) found.push(template);
  }
  return found.sort();
}

/** The tool that lists tools says the same as the protocol does, where the caller may use it. */
async function toldByTool(grant: Grant, offered: readonly string[]): Promise<readonly string[]> {
  const outcome = await ask(grant, { kind: 'tool', name: 'list_tools', arguments: {} });
  if (!outcome.ok || outcome.answer.kind !== 'tool') return offered;
  const told = outcome.answer.structured?.tools as { name: string }[];
  return told.map((tool) => tool.name).filter((name) => name !== 'regenerate_mcp_token');
}

it('[HOST-03] agrees over HTTP for tokens of every role', async () => {
  const home = temporaryFolder();
  const server: RunningServer = await startServer(home);
  try {
    const roles = [
      'owner',
      'editor',
      'reader',
      'reviewer',
      'agent',
      'client',
      'project_analyst',
      'worker',
      'node',
    ];
    const names = app.catalogue.tools
      .map(({ name }) => name)
      .filter((name) => !/^(fixture|regenerate)/.test(name));
    for (const name of roles) {
      const wire = modernHttp(server.port, await addClient(home, `the-${name}`, { role: name }));
      const offered = namesIn(await wire.ask('tools/list'));
      const answered: string[] = [];
      for (const tool of names) {
        const { error } = await wire.ask('tools/call', { name: tool, arguments: NONSENSE });
        if (error?.data?.code !== 'unknown_tool') answered.push(tool);
      }
      expect(answered, name).toEqual(offered.filter((tool) => tool !== 'regenerate_mcp_token'));
    }
  } finally {
    await server.stop();
  }
}, 120_000);
