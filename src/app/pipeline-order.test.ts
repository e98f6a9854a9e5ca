import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { bindFamily, defineFamily } from '../catalogue/family.ts';
import { defineTool } from '../catalogue/tool-definition.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Grant } from '../domain/governance/credentials.ts';
import type { CallRequest, Outcome } from '../gateway/request.ts';
import type { CredentialId, PrincipalId } from '../kernel/ids.ts';
import { silentLog } from '../kernel/log.ts';
import { composeApp } from './compose.ts';
import { ownerGrant } from './local-grants.ts';

/** A tool behind every gate there is. It has an effect that no policy covers, so not even a good call ends well. */
const guarded = defineTool({
  name: 'vault.open',
  title: 'Open the vault',
  summary: 'Nobody gets that far.',
  scopes: ['audit.read'],
  roles: ['guard', 'owner'],
  reach: 'sandbox',
  effect: 'external_side_effect',
  taskScoped: ['task_id'],
  limits: { inputBytes: 1_000 },
  example: { task_id: 't', amount: 1 },
  input: z.object({ task_id: z.string().optional(), amount: z.int() }),
  output: z.object({}),
  handler: async () => {
    throw new Error('a handler was reached that nobody may reach');
  },
});

const family = bindFamily(defineFamily('vault', { tools: [guarded] }), undefined);
const vault = {
  ...family,
  tools: family.tools.map((tool) => ({ ...tool, effect: 'unsupported_effect' as const })),
};

let release = (): void => undefined;
const busy = defineTool({
  name: 'vault.wait',
  title: 'Wait',
  summary: 'Is under way until it is told to end.',
  scopes: [],
  needsWorkspace: false,
  effect: 'external_side_effect',
  example: {},
  input: z.object({}),
  output: z.object({}),
  handler: (use: { began(): void }) => {
    use.began();
    return new Promise<Record<string, never>>((done) => {
      release = () => done({});
    });
  },
});

let began: () => void = () => undefined;
const waiting = bindFamily(defineFamily('workspace', { tools: [busy] }), { began: () => began() });

const home = temporaryFolder();
// A clock that stands still: nobody's bucket fills, nobody's run ends.
const at = Date.UTC(2026, 0, 1);
const app = await composeApp({
  home,
  config: loadConfig(
    home,
    {},
    {
      'limits.call_burst': 100,
      'limits.calls_per_second': 0.001,
      'limits.concurrent_per_principal': 1,
    },
  ).config,
  log: silentLog,
  clock: { now: () => at },
  families: [vault, waiting],
});
afterAll(() => app.close());

let callers = 0;
/** Somebody new each time, so that no bucket is shared. */
function newcomer(wish: Partial<Grant> = {}): Grant {
  callers += 1;
  const name = `caller-${callers}`;
  return {
    ...ownerGrant('mcp-http'),
    credential: `test:${name}` as CredentialId,
    principal: { kind: 'client', id: `client:${name}` as PrincipalId, name },
    role: 'client',
    origin: 'agent-produced',
    ...wish,
  };
}

const owner = ownerGrant('admin');
let owners = 0;

async function ask(
  grant: Grant,
  name: string,
  input: unknown,
  more: Partial<CallRequest> = {},
): Promise<Outcome> {
  const target = { kind: 'tool', name, arguments: input } as const;
  return app.gateway.call({
    target,
    presented: { kind: 'grant', grant },
    claims: {},
    source: 'test',
    ...more,
  });
}

/** The owner never runs dry: each of its calls is made under another principal. */
async function own(name: string, input: unknown): Promise<Record<string, unknown>> {
  owners += 1;
  const principal = { ...owner.principal, id: `owner-${owners}` as PrincipalId };
  const outcome = await ask({ ...owner, principal }, name, input);
  if (!outcome.ok) throw outcome.error;
  return outcome.answer.kind === 'tool' ? { ...outcome.answer.structured } : {};
}

interface Recorded {
  readonly kind: string;
  readonly tool_name: string;
  readonly decision: string;
  readonly status: string;
  readonly gate?: string;
  readonly error_code?: string;
  readonly subject_name?: string;
}

async function recordOf(outcome: Outcome): Promise<Recorded> {
  const { records } = await own('audit.get', { call_id: outcome.callId });
  const [record, ...others] = records as Recorded[];
  if (!record || others.length > 0) throw new Error(`${1 + others.length} records of one call`);
  return record;
}

async function expectRefusal(
  outcome: Outcome,
  code: string,
  record: { readonly gate?: string; readonly decision?: string },
): Promise<void> {
  expect(outcome.ok ? 'allowed' : outcome.error.code).toBe(code);
  const { gate, decision, status, error_code } = await recordOf(outcome);
  expect({ gate, decision, status, error_code }).toEqual({
    gate: record.gate,
    decision: record.decision ?? 'deny',
    status: 'error',
    error_code: code,
  });
}

const wrongInput = { amount: 'all of it' };
const worst = { role: 'ghost', scopes: [] } as const;

describe('[PIPE-11] a call that fails several steps is refused by the first of them', () => {
  it('2 by authentication', async () => {
    const outcome = await ask(newcomer(worst), 'no.such.tool', wrongInput, {
      presented: { kind: 'bearer', token: 'nonsense', surface: 'mcp-http' },
      claims: { run: 'not a run' },
      bytes: 9 * 1024 * 1024,
    });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'unauthenticated' } });
    expect(await recordOf(outcome)).toMatchObject({ kind: 'refused_source', tool_name: 'no.such.tool' });
    expect(await recordOf(outcome)).not.toHaveProperty('subject_name');
  });

  it('3 by the context it claims', async () => {
    const outcome = await ask(newcomer(worst), 'no.such.tool', wrongInput, {
      claims: { run: 'not a run' },
      bytes: 9 * 1024 * 1024,
    });
    await expectRefusal(outcome, 'invalid_request', {});
    const declared = await ask(newcomer(worst), 'no.such.tool', {}, { claims: { origin: 'divine' } });
    await expectRefusal(declared, 'invalid_request', {});
  });

  it('4 by its size', async () => {
    const outcome = await ask(newcomer(worst), 'no.such.tool', wrongInput, { bytes: 9 * 1024 * 1024 });
    await expectRefusal(outcome, 'payload_too_large', {});
  });

  it('5 because there is no such tool', async () => {
    await own('set_tool_enabled', { tool: '**', enabled: false });
    await expectRefusal(await ask(newcomer(worst), 'no.such.tool', wrongInput), 'unknown_tool', {
      gate: 'unknown',
    });
    await own('set_tool_enabled', { tool: '**', enabled: true });
  });

  it('6 by the off switch', async () => {
    await own('set_tool_enabled', { tool: 'vault.*', enabled: false });
    const call = () => ask(newcomer(worst), 'vault.open', wrongInput);
    await expectRefusal(await call(), 'unknown_tool', { gate: 'off_switch' });
    await own('set_mcp_enabled', { enabled: false });
    await expectRefusal(await call(), 'disabled', { gate: 'off_switch' });
    await own('set_mcp_enabled', { enabled: true });
    await own('set_tool_enabled', { tool: 'vault.*', enabled: true });
  });

  it('7 by its role', async () => {
    const call = (role: string) => ask(newcomer({ ...worst, role }), 'vault.open', wrongInput);
    await expectRefusal(await call('ghost'), 'unknown_tool', { gate: 'role' });
    await expectRefusal(await call('client'), 'unknown_tool', { gate: 'role' });
  });

  const guard = async (tools: string[], scopes: string[], reach: string): Promise<void> => {
    await own('policy.role.set', { name: 'guard', tools, scopes, reach });
  };
  const asGuard = (input: unknown, more?: Partial<CallRequest>) =>
    ask(newcomer({ role: 'guard' }), 'vault.open', input, more);

  it('8 by its reach', async () => {
    await guard(['vault.*'], [], 'orchestrator');
    await expectRefusal(await asGuard(wrongInput), 'unknown_tool', { gate: 'reach' });
  });

  it('9 by its scopes', async () => {
    await guard(['vault.*'], [], 'sandbox');
    await expectRefusal(await asGuard(wrongInput), 'unknown_tool', { gate: 'scope' });
    await guard(['vault.*'], ['audit.read'], 'sandbox');
    const narrowed = newcomer({ role: 'guard', scopes: ['workspace.read'] });
    await expectRefusal(await ask(narrowed, 'vault.open', wrongInput), 'unknown_tool', { gate: 'scope' });
  });

  it('10 by the access rules', async () => {
    await expectRefusal(await asGuard(wrongInput), 'unknown_tool', { gate: 'access_rule' });
  });

  it('11 by the rate, then by how many are under way', async () => {
    await own('policy.rule.add', {
      subject_type: 'role',
      subject: 'guard',
      pattern: 'vault.open',
      effect: 'allow',
      reason: 'for the test',
    });
    const eager = newcomer({ role: 'guard' });
    for (let i = 0; i < 100; i += 1) await ask(eager, 'vault.open', wrongInput);
    await expectRefusal(await ask(eager, 'vault.open', wrongInput), 'rate_limited', { gate: 'rate' });

    await guard(['vault.*'], ['audit.read'], 'both');
    await own('policy.rule.add', {
      subject_type: 'role',
      subject: 'guard',
      resource_type: 'family',
      pattern: 'workspace',
      effect: 'allow',
      reason: 'for the test',
    });
    const holder = newcomer({ role: 'guard' });
    const underWay = new Promise<void>((done) => {
      began = done;
    });
    const first = ask(holder, 'vault.wait', {});
    await underWay;
    await expectRefusal(await ask(holder, 'vault.open', wrongInput), 'rate_limited', { gate: 'concurrency' });
    release();
    expect((await first).ok).toBe(true);
  });

  it('12 by its input, which is a failure and no refusal: workspace, size, shape, then scoped ids', async () => {
    const failed = { decision: 'allow' };
    const elsewhere = { claims: { workspace: 'nowhere' } };
    const huge = { amount: 'x'.repeat(2_000) };
    await expectRefusal(await asGuard(huge, elsewhere), 'no_workspace', failed);
    await expectRefusal(await asGuard(huge), 'payload_too_large', failed);
    await expectRefusal(await asGuard(wrongInput), 'invalid_input', failed);
    await expectRefusal(await asGuard({ amount: 1 }), 'invalid_input', failed);
    await expectRefusal(await asGuard({ amount: 1, task_id: 't9' }), 'not_found', { gate: 'scoped_id' });
  });

  it('13 by the approval it would need', async () => {
    const anyTask = await ask(owner, 'vault.open', { amount: 1, task_id: 't9' });
    await expectRefusal(anyTask, 'denied', { gate: 'approval' });
  });
});

describe('[PIPE-12] what a caller may not see', () => {
  it('is absent, in the same words and under either name', async () => {
    const words = async (grant: Grant, name: string) => {
      const outcome = await ask(grant, name, {});
      return outcome.ok ? 'allowed' : JSON.stringify(outcome.error.toWire()).replaceAll(name, '…');
    };
    const absent = await words(newcomer(), 'vault.shut');
    expect(absent).toContain('Unknown tool: …');
    expect(await words(newcomer(), 'vault.open')).toBe(absent);
    expect(await words(newcomer(), 'vault_open')).toBe(absent);
    expect(await words(newcomer({ role: 'ghost' }), 'vault.open')).toBe(absent);
    expect(await words(newcomer({ scopes: [] }), 'read_page')).toBe(absent);
    expect(await words(newcomer(), 'client.add')).toBe(absent);
    await own('set_tool_enabled', { tool: 'vault.open', enabled: false });
    expect(await words(newcomer({ role: 'guard' }), 'vault.open')).toBe(absent);
  });

  it('cannot be found out while everything is switched off', async () => {
    await own('set_mcp_enabled', { enabled: false });
    const said = new Set<string>();
    for (const name of ['vault.open', 'vault.shut', 'read_page']) {
      const outcome = await ask(newcomer(), name, {});
      said.add(outcome.ok ? 'allowed' : outcome.error.message);
    }
    await own('set_mcp_enabled', { enabled: true });
    expect([...said]).toEqual(['Sluice is switched off; its owner can switch it on with "sluice enable"']);
  });

  it('holds for prompts and resources as well', async () => {
    const call = async (target: CallRequest['target'], grant = newcomer({ scopes: [] })) => {
      const presented = { kind: 'grant', grant } as const;
      const outcome = await app.gateway.call({ target, presented, claims: {}, source: 'test' });
      return outcome.ok ? 'allowed' : `${outcome.error.code} ${outcome.error.message}`;
    };
    expect(await call({ kind: 'prompt', name: 'weekly_review', arguments: {} })).toBe(
      'unknown_tool Unknown prompt: weekly_review',
    );
    expect(await call({ kind: 'prompt', name: 'no_such', arguments: {} })).toBe(
      'unknown_tool Unknown prompt: no_such',
    );
    expect(await call({ kind: 'resource', uri: 'sluice://workspace/tree' })).toBe(
      'resource_not_found Resource not found: sluice://workspace/tree',
    );
    expect(await call({ kind: 'resource', uri: 'sluice://no/such' })).toBe(
      'resource_not_found Resource not found: sluice://no/such',
    );
    expect(await call({ kind: 'resource', uri: 'sluice://workspace/tree' }, newcomer())).toBe('allowed');
  });
});
