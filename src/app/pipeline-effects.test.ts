import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bindFixtures } from '../../test/support/fixture-family.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { bindFamily, defineFamily } from '../catalogue/family.ts';
import { defineTool } from '../catalogue/tool-definition.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Grant } from '../domain/governance/credentials.ts';
import { onAbort } from '../gateway/calls-in-flight.ts';
import type { CallClaims, CallRequest, Outcome } from '../gateway/request.ts';
import type { CredentialId, PrincipalId } from '../kernel/ids.ts';
import { createLog } from '../kernel/log.ts';
import { requireTicket } from '../kernel/ticket.ts';
import { composeApp } from './compose.ts';
import { ownerGrant } from './local-grants.ts';

interface Watched {
  readonly seen: string[];
}

const shape = {
  title: 'Slow',
  summary: 'Does not end.',
  scopes: [],
  example: {},
  input: z.object({}),
} as const;
const never = (signal: AbortSignal) =>
  new Promise<Record<string, never>>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('told to stop')));
  });

const tools = [
  defineTool({
    ...shape,
    name: 'slow.read',
    effect: 'read_only',
    limits: { timeoutMs: 15 },
    output: z.object({}),
    handler: async (_use: Watched, _input, call) => never(call.signal),
  }),
  defineTool({
    ...shape,
    name: 'slow.deaf',
    effect: 'external_side_effect',
    limits: { timeoutMs: 15 },
    output: z.object({}),
    handler: (use: Watched) => {
      use.seen.push('slow.deaf');
      return new Promise<Record<string, never>>(() => undefined);
    },
  }),
  defineTool({
    ...shape,
    name: 'slow.outside',
    effect: 'external_side_effect',
    output: z.object({}),
    handler: async (use: Watched, _input, call) => {
      use.seen.push('slow.outside');
      return never(call.signal);
    },
  }),
  defineTool({
    ...shape,
    name: 'wrong.write',
    effect: 'local_side_effect',
    write: { kind: 'page', derivation: 'none' },
    output: z.object({ count: z.int() }),
    handler: async (_use: Watched, _input, call) => {
      requireTicket(call.ticket, 'page', 'land');
      return { count: 'hunter2' } as unknown as { count: number };
    },
  }),
];

const home = temporaryFolder();
const lines: string[] = [];
let now = Date.UTC(2026, 0, 1);
const watched: Watched = { seen: [] };
const app = await composeApp({
  home,
  config: loadConfig(home, {}).config,
  log: createLog({ now: () => now }, 'debug', (line) => lines.push(line)),
  clock: { now: () => now },
  families: [bindFixtures(), bindFamily(defineFamily('workspace', { tools }), watched)],
});
afterAll(() => app.close());

const owner = ownerGrant('admin');
const client: Grant = {
  ...ownerGrant('mcp-http'),
  credential: 'test:ann' as CredentialId,
  principal: { kind: 'client', id: 'client:ann' as PrincipalId, name: 'ann' },
  role: 'client',
  origin: 'agent-produced',
};

interface Options extends Partial<CallRequest> {
  readonly grant?: Grant;
  readonly claims?: CallClaims;
}

function ask(
  name: string,
  input: unknown = {},
  { grant = client, claims = {}, ...more }: Options = {},
): Promise<Outcome> {
  const target = { kind: 'tool', name, arguments: input } as const;
  return app.gateway.call({ target, presented: { kind: 'grant', grant }, source: 'test', ...more, claims });
}

const structured = (outcome: Outcome): Record<string, unknown> => {
  if (!outcome.ok) throw outcome.error;
  return outcome.answer.kind === 'tool' ? { ...outcome.answer.structured } : {};
};

type Recorded = Record<string, unknown>;

async function recordsOf(outcome: Outcome): Promise<Recorded[]> {
  const found = structured(await ask('audit.get', { call_id: outcome.callId }, { grant: owner }));
  return found.records as Recorded[];
}

const codeOf = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.error.code);

describe('[PIPE-25] the record of a call', () => {
  it('of a write says who, what, where, when and how it ended, and holds no payload', async () => {
    const claims = { run: 'r1', thread: 't1', origin: 'imported' };
    const secret = 'the content nobody should find';
    const outcome = await ask('create_page', { title: secret, content: secret }, { claims });
    const made = structured(outcome);
    expect(made).toMatchObject({ origin: 'imported', lifecycle: 'draft' });
    const [record, ...others] = await recordsOf(outcome);
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      call_id: outcome.callId,
      phase: 'single',
      kind: 'tool',
      surface: 'mcp-http',
      server: 'built-in',
      tool_name: 'create_page',
      family: 'workspace',
      effect: 'local_side_effect',
      decision: 'allow',
      status: 'success',
      duration_ms: 0,
      subject_type: 'client',
      subject_id: 'client:ann',
      subject_name: 'ann',
      role_names: '["client"]',
      credential_id: 'test:ann',
      run_id: 'client:ann/r1',
      thread_id: 't1',
      origin: 'imported',
      declared_origin: 'imported',
      catalogue_version: app.catalogue.version,
      policy_version: app.governance().version,
      input_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      output_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      repeat_count: 1,
    });
    expect(record?.workspace_id).toEqual(expect.any(String));
    expect(record).not.toHaveProperty('error_code');
    expect(record).not.toHaveProperty('gate');
    const everything = structured(await ask('audit.export', {}, { grant: owner }));
    expect(JSON.stringify(everything)).not.toContain('nobody should find');
    expect(lines.join()).not.toContain('nobody should find');
  });

  it('of a permitted call that fails is an allow with an error', async () => {
    const outcome = await ask('read_page', { page: 'no such page' });
    expect(codeOf(outcome)).toBe('not_found');
    expect(await recordsOf(outcome)).toMatchObject([
      { decision: 'allow', status: 'error', error_code: 'not_found', phase: 'single' },
    ]);
  });

  it('of a call by a resource or a prompt says which entry it was', async () => {
    const presented = { kind: 'grant', grant: client } as const;
    const call = (target: CallRequest['target']) =>
      app.gateway.call({ target, presented, claims: {}, source: 'test' });
    const resource = await call({ kind: 'resource', uri: 'sluice://workspace/tree' });
    expect(await recordsOf(resource)).toMatchObject([{ kind: 'resource', tool_name: 'workspace_tree' }]);
    const prompt = await call({ kind: 'prompt', name: 'weekly_review', arguments: {} });
    expect(await recordsOf(prompt)).toMatchObject([{ kind: 'prompt', tool_name: 'weekly_review' }]);
  });

  it('[AUD-22] of what is unknown keeps only what is shaped like a name', async () => {
    const presented = { kind: 'grant', grant: client } as const;
    const kept = async (target: CallRequest['target']): Promise<unknown> => {
      const outcome = await app.gateway.call({ target, presented, claims: {}, source: 'test' });
      return (await recordsOf(outcome))[0]?.tool_name;
    };
    const tool = (name: string) => kept({ kind: 'tool', name, arguments: {} });
    const uri = (given: string) => kept({ kind: 'resource', uri: given });
    expect(await tool('no_such.tool-1')).toBe('no_such.tool-1');
    for (const name of [
      'my password is x',
      'x'.repeat(65),
      'a\nb',
      '',
      '漢字',
      'a=b',
      '(my password)',
      '\ud800',
    ])
      expect(await tool(name), name).toBe('(unknown)');
    expect(await uri('other://place/x.md?token=secret#part')).toBe('other://place/x.md');
    for (const given of [
      'other://a b',
      `other://${'x'.repeat(64)}`,
      'other://u:secret@host/x',
      '?token=secret',
    ])
      expect(await uri(given), given).toBe('(unknown)');
    await app.gateway.recordRefusal(presented, 'test', 'my secret method', 'unknown_method');
    const { records } = structured(
      await ask('audit.list', { kind: 'refused_request', limit: 1 }, { grant: owner }),
    );
    expect(records).toMatchObject([{ tool_name: '(unknown)' }]);
  });

  it('of a list is made as well', async () => {
    const presented = { kind: 'grant', grant: client } as const;
    await app.gateway.list('tools', { presented, claims: {}, source: 'test' });
    const found = structured(await ask('audit.list', { kind: 'list', limit: 1 }, { grant: owner }));
    expect(found.records).toMatchObject([
      { tool_name: 'tools/list', decision: 'allow', status: 'success', subject_name: 'ann' },
    ]);
  });
});

describe('[PIPE-26] an effect outside of Sluice', () => {
  it('is recorded before it begins and after it ended, under one call id', async () => {
    const outcome = await ask('fixture.wait', { ms: 1 });
    const records = await recordsOf(outcome);
    expect(records.map(({ phase, status }) => [phase, status])).toEqual([
      ['started', 'started'],
      ['finished', 'success'],
    ]);
    expect(records[0]).not.toHaveProperty('output_digest');
    expect(records[1]).toHaveProperty('output_digest');
  });

  it.each([
    ['fails by itself', 'fixture.fail', { secret: 'hunter2' }, 'internal'],
    ['answers in a wrong shape', 'fixture.wrong_output', {}, 'internal'],
    ['answers too much', 'fixture.large', { characters: 2_000_000 }, 'output_too_large'],
  ])('has an end in the log also when it %s', async (_, name, input, code) => {
    const outcome = await ask(name, input);
    expect(codeOf(outcome)).toBe(code);
    expect(
      (await recordsOf(outcome)).map((record) => [record.phase, record.status, record.error_code]),
    ).toEqual([
      ['started', 'started', undefined],
      ['finished', 'error', code],
    ]);
  });

  it('does not begin when the input is wrong', async () => {
    const before = watched.seen.length;
    const outcome = await ask('fixture.wait', { ms: 'long' });
    expect((await recordsOf(outcome)).map(({ phase }) => phase)).toEqual(['single']);
    expect(watched.seen).toHaveLength(before);
  });
});

describe('[PIPE-27] an answer', () => {
  it('of a wrong shape is our fault, names fields and shows none of it', async () => {
    for (const name of ['fixture.wrong_output', 'wrong.write']) {
      const outcome = await ask(name);
      expect(outcome).toMatchObject({ ok: false, error: { code: 'internal' } });
      const wire = outcome.ok ? '' : JSON.stringify(outcome.error.toWire());
      expect(wire).toContain('count');
      expect(wire).not.toContain('many');
      expect(wire).not.toContain('hunter2');
    }
  });

  it('that cannot be given undoes the local write it belongs to', async () => {
    const outcome = await ask('wrong.write');
    expect(await recordsOf(outcome)).toMatchObject([{ phase: 'single', status: 'error', decision: 'allow' }]);
  });

  it('larger than its limit is refused with a way out', async () => {
    expect((await ask('fixture.large', { characters: 1_048_576 - 11 })).ok).toBe(true);
    const outcome = await ask('fixture.large', { characters: 1_048_576 });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'output_too_large' } });
    expect(outcome.ok ? '' : outcome.error.message).toContain('ask for less');
  });

  it('carries the same facts as text and as structure', async () => {
    const outcome = await ask('get_my_scopes');
    if (!outcome.ok || outcome.answer.kind !== 'tool') throw new Error('no answer');
    expect(JSON.parse(outcome.answer.text)).toEqual(outcome.answer.structured);
  });

  it('of a fault says nothing of the fault; the log has where it was, not what it said', async () => {
    const outcome = await ask('fixture.fail', { secret: 'hunter2' });
    expect(outcome.ok ? '' : outcome.error.message).toBe(
      'The call failed inside Sluice; the log has the details',
    );
    expect(JSON.stringify(outcome.ok ? {} : outcome.error.toWire())).not.toContain('hunter2');
    const line = lines.findLast((one) => one.includes(outcome.callId));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ event: 'call_failed', reason: 'Error' });
    expect(lines.join()).not.toContain('hunter2');
  });
});

describe('[PIPE-28] a call', () => {
  it('ends at its deadline, whether its handler listens or not', async () => {
    const read = await ask('slow.read');
    expect(read).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } });
    const deaf = await ask('slow.deaf');
    expect(codeOf(deaf)).toBe('deadline_exceeded');
    expect((await recordsOf(deaf)).map(({ phase, error_code }) => [phase, error_code])).toEqual([
      ['started', undefined],
      ['finished', 'deadline_exceeded'],
    ]);
  });

  it('ends when its caller gives it up, and is recorded as that', async () => {
    const giving = new AbortController();
    const under = ask('slow.outside', {}, { onCancel: onAbort(giving.signal) });
    while (!watched.seen.includes('slow.outside')) await new Promise((done) => setImmediate(done));
    giving.abort();
    const outcome = await under;
    expect(codeOf(outcome)).toBe('cancelled');
    expect((await recordsOf(outcome)).at(-1)).toMatchObject({ phase: 'finished', error_code: 'cancelled' });
  });

  it('that was given up before it began writes nothing', async () => {
    const outcome = await ask(
      'create_page',
      { title: 'Given up' },
      { onCancel: onAbort(AbortSignal.abort()) },
    );
    expect(codeOf(outcome)).toBe('cancelled');
    expect(codeOf(await ask('read_page', { page: 'given-up' }))).toBe('not_found');
  });

  it('ends with its credential, as the call of its holder', async () => {
    const { token } = structured(await ask('client.add', { name: 'short-lived' }, { grant: owner }));
    const presented = { kind: 'bearer', token: String(token), surface: 'mcp-http' } as const;
    const before = watched.seen.length;
    const under = ask('slow.outside', {}, { presented });
    while (watched.seen.length === before) await new Promise((done) => setImmediate(done));
    structured(await ask('client.revoke', { name: 'short-lived' }, { grant: owner }));
    const outcome = await under;
    expect(codeOf(outcome)).toBe('unauthenticated');
    expect(await recordsOf(outcome)).toMatchObject([
      { phase: 'started', subject_name: 'short-lived' },
      { phase: 'finished', subject_name: 'short-lived', kind: 'tool', error_code: 'unauthenticated' },
    ]);
    expect(codeOf(await ask('get_my_scopes', {}, { presented }))).toBe('unauthenticated');
  });

  it('ends with the off switch', async () => {
    const before = watched.seen.length;
    const under = ask('slow.outside');
    while (watched.seen.length === before) await new Promise((done) => setImmediate(done));
    structured(await ask('set_mcp_enabled', { enabled: false }, { grant: owner }));
    expect(codeOf(await under)).toBe('disabled');
    structured(await ask('set_mcp_enabled', { enabled: true }, { grant: owner }));
  });

  it('tells its progress while it is under way', async () => {
    const steps: unknown[] = [];
    await ask('fixture.wait', { ms: 3, steps: 3 }, { onProgress: (step) => steps.push(step) });
    expect(steps).toEqual([1, 2, 3].map((n) => ({ progress: n, total: 3, message: `step ${n}` })));
  });
});

describe('[PIPE-29] requests without an identity', () => {
  it('are folded by source and minute of the clock', async () => {
    const knock = (source: string) =>
      ask('read_page', {}, { presented: { kind: 'bearer', token: 'wrong', surface: 'mcp-http' }, source });
    const folded = async () => {
      const filter = { kind: 'refused_source', limit: 100 };
      const found = structured(await ask('audit.list', filter, { grant: owner }));
      return (found.records as Recorded[])
        .filter(({ source }) => String(source).startsWith('10.9.'))
        .map(({ source, repeat_count, decision }) => [source, repeat_count, decision])
        .sort();
    };
    for (let i = 0; i < 5; i += 1) await knock('10.9.0.1');
    await knock('10.9.0.2');
    expect(await folded()).toEqual([
      ['10.9.0.1', 1, 'deny'],
      ['10.9.0.2', 1, 'deny'],
    ]);
    now += 60_000;
    await knock('10.9.0.1');
    expect(await folded()).toEqual([
      ['10.9.0.1', 1, 'deny'],
      ['10.9.0.1', 1, 'deny'],
      ['10.9.0.1', 4, 'deny'],
      ['10.9.0.2', 1, 'deny'],
    ]);
  });
});
