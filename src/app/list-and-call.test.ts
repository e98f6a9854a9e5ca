import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testSeed } from '../../test/support/seed.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { bindFamily, defineFamily } from '../catalogue/family.ts';
import { definePrompt } from '../catalogue/prompt-definition.ts';
import { defineResource } from '../catalogue/resource-definition.ts';
import { defineTool } from '../catalogue/tool-definition.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Grant } from '../domain/governance/credentials.ts';
import type { Listing } from '../gateway/list.ts';
import type { CallRequest, Outcome } from '../gateway/request.ts';
import { PRINCIPAL_KINDS, REACHES, SURFACES } from '../kernel/caller.ts';
import type { CredentialId, PrincipalId } from '../kernel/ids.ts';
import { silentLog } from '../kernel/log.ts';
import type { Scope } from '../kernel/scopes.ts';
import { composeApp } from './compose.ts';
import { ownerGrant } from './local-grants.ts';

const SOME_SCOPES = ['workspace.read', 'audit.read', 'work.read'] as const satisfies Scope[];

/** Tools that differ in everything a gate looks at. */
const declared = REACHES.flatMap((reach) =>
  ['any' as const, ['made', 'owner']].flatMap((roles) =>
    [[], ['audit.read'], ['workspace.read', 'work.read']].map((scopes, i) => {
      const name = `probe.${reach}.${roles === 'any' ? 'any' : 'some'}_${i}`;
      const common = {
        name,
        title: 'Probe',
        summary: 'Answers.',
        scopes: scopes as Scope[],
        roles,
        reach,
        needsWorkspace: false,
        survivesOffSwitch: i === 0,
      };
      const shape = { example: {}, input: z.object({}), output: z.object({}) };
      return {
        tool: defineTool({ ...common, ...shape, effect: 'read_only', handler: async () => ({}) }),
        prompt: definePrompt({ ...common, arguments: [], handler: async () => [] }),
        resource: defineResource({
          ...common,
          uri: `sluice://probe/${name}`,
          mimeType: 'text/plain',
          handler: async () => ({ mimeType: 'text/plain', text: '' }),
        }),
        template: defineResource({
          ...common,
          name: `${name}_one`,
          uri: `sluice://probe/${name}/{one}`,
          mimeType: 'text/plain',
          handler: async () => ({ mimeType: 'text/plain', text: '' }),
        }),
      };
    }),
  ),
);

const family = defineFamily('probe', {
  tools: declared.map(({ tool }) => tool),
  prompts: declared.map(({ prompt }) => prompt),
  resources: declared.flatMap(({ resource, template }) => [resource, template]),
});

const home = temporaryFolder();
const app = await composeApp({
  home,
  config: loadConfig(home, {}, { 'limits.call_burst': 1_000_000 }).config,
  log: silentLog,
  families: [bindFamily(family, undefined)],
});
afterAll(() => app.close());

const owner = ownerGrant('admin');

function ask(grant: Grant, target: CallRequest['target']): Promise<Outcome> {
  return app.gateway.call({ target, presented: { kind: 'grant', grant }, claims: {}, source: 'test' });
}

async function own(name: string, input: unknown): Promise<Record<string, unknown>> {
  const outcome = await ask(owner, { kind: 'tool', name, arguments: input });
  if (!outcome.ok) throw outcome.error;
  return outcome.answer.kind === 'tool' ? { ...outcome.answer.structured } : {};
}

/** Everything of a kind that the caller is shown, over all pages; nothing while it is refused the list. */
async function listed(grant: Grant, what: Listing): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const presented = { kind: 'grant', grant } as const;
    const page = await app.gateway
      .list(what, { presented, claims: {}, source: 'test', cursor })
      .catch((error: { code?: string }) => {
        if (error.code === 'disabled') return { items: [] };
        throw error;
      });
    names.push(...page.items.map((item) => ('uri' in item ? item.uri : item.name)));
    cursor = 'nextCursor' in page ? page.nextCursor : undefined;
  } while (cursor !== undefined);
  return names;
}

/** What of the probes the caller can call, by calling each of them. */
async function callable(grant: Grant, targets: readonly CallRequest['target'][]): Promise<string[]> {
  const names: string[] = [];
  for (const target of targets) {
    if ((await ask(grant, target)).ok)
      names.push('uri' in target ? target.uri : 'name' in target ? target.name : '');
  }
  return names;
}

const scenario = fc.record({
  role: fc.constantFrom('made', 'client', 'worker', 'owner', 'ghost'),
  kind: fc.constantFrom(...PRINCIPAL_KINDS),
  surface: fc.constantFrom(...SURFACES),
  tokenScopes: fc.option(fc.subarray([...SOME_SCOPES])),
  made: fc.record({
    tools: fc.subarray(['**', 'probe.both.*', 'probe.sandbox.any_0', '*.*.some_*']),
    scopes: fc.subarray([...SOME_SCOPES]),
    reach: fc.constantFrom(...REACHES),
  }),
  rules: fc.array(
    fc.record({
      subject: fc.constantFrom(
        { subject_type: 'system', subject: null },
        { subject_type: 'role', subject: 'made' },
        { subject_type: 'role', subject: 'client' },
        { subject_type: 'client', subject: 'probe' },
        { subject_type: 'agent', subject: 'probe' },
      ),
      resource: fc.constantFrom(
        { resource_type: 'family', pattern: 'probe' },
        { resource_type: 'tool', pattern: 'probe.both.**' },
        { resource_type: 'tool', pattern: '*.*.any_1' },
      ),
      effect: fc.constantFrom('allow', 'allow', 'allow', 'deny'),
      priority: fc.integer({ min: -9, max: 9 }),
    }),
    { maxLength: 3 },
  ),
  disabled: fc.subarray(['probe.both.any_0', 'probe.*.some_1', 'probe.orchestrator.**'], { maxLength: 2 }),
  off: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
});

describe('[PIPE-13] a list', () => {
  it('names exactly what the same caller can call, whatever the policy', async () => {
    let [shown, hidden] = [0, 0];
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        await own('policy.role.set', { name: 'made', ...given.made });
        const added: unknown[] = [];
        for (const { subject, resource, effect, priority } of given.rules) {
          const rule = { ...subject, ...resource, effect, priority, reason: 'x' };
          added.push(((await own('policy.rule.add', rule)).rule as { id: string }).id);
        }
        for (const tool of given.disabled) await own('set_tool_enabled', { tool, enabled: false });
        if (given.off) await own('set_mcp_enabled', { enabled: false });
        try {
          const grant: Grant = {
            ...owner,
            credential: 'test:probe' as CredentialId,
            principal: { kind: given.kind, id: `${given.kind}:probe` as PrincipalId, name: 'probe' },
            role: given.role,
            scopes: given.tokenScopes,
            surface: given.surface,
          };
          const probes = declared.map(({ tool }) => tool.name);
          const ours = (names: readonly string[]) => names.filter((name) => name.includes('probe'));
          const tools = await callable(
            grant,
            probes.map((name) => ({ kind: 'tool', name, arguments: {} })),
          );
          expect(ours(await listed(grant, 'tools')).sort()).toEqual(tools.sort());
          const prompts = await callable(
            grant,
            probes.map((name) => ({ kind: 'prompt', name, arguments: {} })),
          );
          expect(ours(await listed(grant, 'prompts')).sort()).toEqual(prompts.sort());
          const resources = await callable(
            grant,
            probes.map((name) => ({ kind: 'resource', uri: `sluice://probe/${name}` })),
          );
          expect(ours(await listed(grant, 'resources')).sort()).toEqual(resources.sort());
          const templates = await callable(
            grant,
            probes.map((name) => ({ kind: 'resource', uri: `sluice://probe/${name}/x` })),
          );
          const offered = ours(await listed(grant, 'templates')).map((uri) => uri.replace('{one}', 'x'));
          expect(offered.sort()).toEqual(templates.sort());
          shown += tools.length;
          hidden += probes.length - tools.length;
        } finally {
          await own('set_mcp_enabled', { enabled: true });
          for (const tool of given.disabled) await own('set_tool_enabled', { tool, enabled: true });
          for (const rule of added) await own('policy.rule.remove', { rule });
        }
      }),
      { seed: testSeed(), numRuns: 40 },
    );
    expect(shown).toBeGreaterThan(20);
    expect(hidden).toBeGreaterThan(20);
  });

  it('is also what list_tools and policy.explain say', async () => {
    await own('client.add', { name: 'ann', scopes: ['workspace.read'] });
    const grant: Grant = {
      ...ownerGrant('mcp-http'),
      credential: 'test:ann' as CredentialId,
      principal: { kind: 'client', id: 'client:ann' as PrincipalId, name: 'ann' },
      role: 'client',
      scopes: ['workspace.read'],
    };
    const names = await listed(grant, 'tools');
    const told = await ask(grant, { kind: 'tool', name: 'list_tools', arguments: {} });
    const { tools } = (told.ok && told.answer.kind === 'tool' ? told.answer.structured : {}) as {
      tools: { name: string }[];
    };
    expect(tools.map(({ name }) => name)).toEqual(names);
    // What helps with others is there or not by what these are, not by a gate.
    for (const { name } of app.catalogue.tools.filter(({ helps }) => !helps)) {
      const { allowed, gates } = await own('policy.explain', { caller: 'ann', tool: name });
      expect([name, allowed]).toEqual([name, names.includes(name)]);
      expect(gates).toHaveLength(5);
    }
    expect(names).toContain('read_page');
    expect(names).not.toContain('create_page');
  });
});

describe('[PIPE-14] a list in pages', () => {
  it('shows every entry once, and a cursor that is not ours is an error', async () => {
    const small = temporaryFolder();
    const paged = await composeApp({
      home: small,
      config: loadConfig(small, {}, { 'limits.list_page': 7 }).config,
      log: silentLog,
    });
    try {
      const presented = { kind: 'grant', grant: owner } as const;
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await paged.gateway.list('tools', { presented, claims: {}, source: 'test', cursor });
        expect(page.items.length).toBeLessThanOrEqual(7);
        names.push(...page.items.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(names).toEqual(
        paged.catalogue.tools.filter(({ internal, helps }) => !internal && !helps).map(({ name }) => name),
      );
      for (const wrong of ['', 'x', '7', Buffer.from('after:').toString('base64url'), 'YWZ0ZXI6QQ']) {
        const request = { presented, claims: {}, source: 'test', cursor: wrong };
        await expect(paged.gateway.list('tools', request)).rejects.toMatchObject({ code: 'invalid_request' });
      }
    } finally {
      await paged.close();
    }
  });
});
