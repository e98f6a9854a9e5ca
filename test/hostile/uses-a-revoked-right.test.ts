/** Goes on using a token, a session, a stream or a call after the right to it has ended. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditRecords } from '../support/audit.ts';
import { type FixtureServer, startFixtureServer } from '../support/fixture-server.ts';
import { connectHttp } from '../support/mcp-clients.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/timing.ts';
import {
  initializeParams,
  legacyHttp,
  modernHttp,
  namesIn,
  refusalOf,
  type StdioProcess,
  startStdio,
  structuredOf,
} from '../support/wires.ts';

const home = temporaryFolder();
let server: FixtureServer;

beforeAll(async () => {
  server = await startFixtureServer(home);
});
afterAll(() => server?.close());

const SLOW = { name: 'fixture.wait', arguments: { ms: 50_000 } };
const slowCalls = (): number => server.seen.filter(({ tool }) => tool === SLOW.name).length;

async function openStdio(name: string): Promise<StdioProcess> {
  const program = startStdio(home, ['--client', name]);
  program.send({ jsonrpc: '2.0', id: 'open', method: 'initialize', params: initializeParams() });
  await program.answer('open');
  return program;
}

/** Everything a client can have open at once; `gone` settles when all of it has ended. */
async function holdEverything(name: string, token: string, beginAt = 0) {
  const before = slowCalls();
  const session = await legacyHttp(server.port, token);
  const program = await openStdio(name);
  await until(() => Date.now() >= beginAt);
  program.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: SLOW });
  const calls = [
    modernHttp(server.port, token).ask('tools/call', SLOW),
    session.ask('tools/call', SLOW),
    program.answer(1),
  ];
  const stream = rawRequest(server.port, { method: 'GET', headers: session.headers });
  await until(() => slowCalls() === before + calls.length);
  return { session, calls, gone: Promise.all([stream, program.ended()]) };
}

async function expectAllGone(name: string, token: string, held: Awaited<ReturnType<typeof holdEverything>>) {
  const answers = await Promise.all(held.calls);
  for (const answer of answers) expect(refusalOf(answer).code).toBe('unauthenticated');
  await held.gone;
  const late = await rawRequest(server.port, { headers: held.session.headers, body: '{}' });
  expect([late.status, late.body]).toEqual([401, expect.not.stringMatching(/revoked|expired/)]);
  await expect(modernHttp(server.port, token).ask('tools/list')).resolves.toMatchObject({
    error: { code: -32000 },
  });
  const records = await auditRecords(home, { tool_name: SLOW.name, subject_name: name });
  expect(records.map((record) => [record.phase, record.status]).sort()).toEqual([
    ['finished', 'error'],
    ['finished', 'error'],
    ['finished', 'error'],
    ['started', 'started'],
    ['started', 'started'],
    ['started', 'started'],
  ]);
}

it('[HOST-27] revoking a client ends its calls, streams, sessions and connections at once', async () => {
  const token = await addClient(home, 'revoked');
  const held = await holdEverything('revoked', token);
  const bystander = modernHttp(server.port, await addClient(home, 'bystander'));
  const other = bystander.ask('tools/call', { name: SLOW.name, arguments: { ms: 1_000 } });
  await asOwner(home, 'client.revoke', { name: 'revoked' });
  await expectAllGone('revoked', token, held);
  expect(structuredOf(await other)).toEqual({ waited: 1_000 });
});

it('[HOST-28] so does its expiry, by itself', async () => {
  const at = Date.now() + 8_000;
  const expires = new Date(at).toISOString();
  const token = await addClient(home, 'expiring', { expires });
  const held = await holdEverything('expiring', token, at - 3_000);
  await Promise.all(held.calls);
  expect(Date.now()).toBeGreaterThanOrEqual(at);
  await expectAllGone('expiring', token, held);
  const { clients } = await asOwner<{ clients: { name: string; state: string }[] }>(home, 'client.list');
  expect(clients.find(({ name }) => name === 'expiring')?.state).toBe('expired');
});

describe('the owner’s token', () => {
  it('[HOST-29] is void the moment another is made, also for calls under way', async () => {
    const { token: old } = await asOwner<{ token: string }>(home, 'get_mcp_token');
    const before = slowCalls();
    const session = await legacyHttp(server.port, old);
    const call = session.ask('tools/call', SLOW);
    const stream = rawRequest(server.port, { method: 'GET', headers: session.headers });
    await until(() => slowCalls() === before + 1);
    const { token: fresh } = await asOwner<{ token: string }>(home, 'regenerate_mcp_token');
    expect(refusalOf(await call).code).toBe('unauthenticated');
    await stream;
    expect((await modernHttp(server.port, old).ask('tools/list')).error?.code).toBe(-32000);
    expect(namesIn(await modernHttp(server.port, fresh).ask('tools/list'))).toContain('get_mcp_token');
  });

  it('[HOST-29] made over the network is told to whoever made it, with the old one', async () => {
    const { token: old } = await asOwner<{ token: string }>(home, 'get_mcp_token');
    const client = await connectHttp(server.url ?? '', old, 'legacy');
    const answer = await client.callTool({ name: 'regenerate_mcp_token', arguments: {} });
    const { token: fresh } = answer.structuredContent as { token: string };
    expect(fresh).toMatch(/^[0-9a-f]{64}$/);
    await expect(client.listTools()).rejects.toThrow();
    expect(namesIn(await modernHttp(server.port, fresh).ask('tools/list'))).toContain('get_mcp_token');
    await client.close().catch(() => undefined);
  });
});

describe('a right that was narrowed', () => {
  it('[HOST-30] ends calls that would not be allowed any more', async () => {
    const token = await addClient(home, 'narrowed', { role: 'agent' });
    const wire = modernHttp(server.port, token);
    const changes: readonly [string, Record<string, unknown>, string, Record<string, unknown>][] = [
      [
        'policy.rule.add',
        {
          subject_type: 'client',
          subject: 'narrowed',
          pattern: 'fixture.wait',
          effect: 'deny',
          reason: 'enough',
        },
        'policy.rule.remove',
        {},
      ],
      [
        'policy.role.set',
        { name: 'agent', tools: ['search'], scopes: ['workspace.read'] },
        'policy.role.set',
        { name: 'agent', tools: ['**'], scopes: ['workspace.read'] },
      ],
    ];
    for (const [tool, input, undo, undoInput] of changes) {
      const before = slowCalls();
      const call = wire.ask('tools/call', SLOW);
      await until(() => slowCalls() === before + 1);
      const changed = await asOwner<{ rule?: { id: string } }>(home, tool, input);
      const refused = refusalOf(await call);
      expect(refused).toMatchObject({ code: 'denied', message: expect.stringMatching(/taken away/) });
      await asOwner(home, undo, changed.rule ? { rule: changed.rule.id } : undoInput);
    }
  });

  it('[HOST-30] a program over stdio follows its registration, which it may get later and lose again', async () => {
    const program = await openStdio('latecomer');
    const list = async (id: number): Promise<string[]> => {
      program.send({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
      return namesIn(await program.answer(id));
    };
    expect(await list(1)).toContain('create_page');
    await addClient(home, 'latecomer', { scopes: ['workspace.read'] });
    expect(await list(2)).toContain('search');
    expect(await list(3)).not.toContain('create_page');
    await asOwner(home, 'client.revoke', { name: 'latecomer' });
    await program.ended();
    const again = startStdio(home, ['--client', 'latecomer']);
    expect(await again.ended()).toBe(4);
    expect(again.stderr()).toMatch(/revoked/);
  });
});

it('[HOST-27] a token that was never given is refused like one that was taken away', async () => {
  const token = await addClient(home, 'gone');
  await asOwner(home, 'client.revoke', { name: 'gone' });
  const strange = [
    '',
    ' ',
    'x',
    '0'.repeat(64),
    token.toUpperCase(),
    token.slice(1),
    `${token}0`,
    'a'.repeat(5_000),
  ];
  const first = await rawRequest(server.port, {
    headers: [['Authorization', `Bearer ${token}`]],
    body: '{}',
  });
  expect(first.status).toBe(401);
  for (const other of strange) {
    const answer = await rawRequest(server.port, {
      headers: [['Authorization', `Bearer ${other}`]],
      body: '{}',
    });
    expect([answer.status, answer.body]).toEqual([401, first.body]);
  }
});
