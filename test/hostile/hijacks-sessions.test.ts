/** Tries to work in a session, or with a state handle, that belongs to somebody else or to nobody any more. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditHead, auditRecords } from '../support/audit.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { type RunningServer, startServer } from '../support/process.ts';
import { type RawAnswer, rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  initializeParams,
  type LegacySession,
  legacyHttp,
  modernHttp,
  refusalOf,
  structuredOf,
} from '../support/wires.ts';

const home = temporaryFolder();
let server: RunningServer;
let [victim, thief] = ['', ''];

beforeAll(async () => {
  server = await startServer(home);
  victim = await addClient(home, 'victim');
  thief = await addClient(home, 'thief');
});
afterAll(() => server?.stop());

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

function inSession(
  token: string,
  id: string,
  rest: { method?: string; body?: string } = { body: LIST },
): Promise<RawAnswer> {
  return rawRequest(server.port, {
    ...rest,
    headers: [
      ['Authorization', `Bearer ${token}`],
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
      ['Mcp-Session-Id', id],
    ],
  });
}

describe('a session id', () => {
  let session: LegacySession;
  beforeAll(async () => {
    session = await legacyHttp(server.port, victim);
  });

  it('[HOST-16] is random, and different each time', async () => {
    const ids = new Set([session.id]);
    for (let i = 0; i < 5; i += 1) ids.add((await legacyHttp(server.port, victim)).id);
    expect(ids.size).toBe(6);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('[HOST-16] that was guessed does not exist', async () => {
    const guesses = [
      randomUUID(),
      '1',
      '../x',
      `${session.id}x`,
      session.id.toUpperCase(),
      `${session.id.slice(0, -1)}`,
    ];
    for (const id of guesses) expect((await inSession(victim, id)).status, id).toBe(404);
  });

  it('[HOST-16] that the client chooses itself is not taken', async () => {
    const fixed = randomUUID();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initializeParams() });
    const opened = await inSession(thief, fixed, { body });
    expect([opened.status, opened.headers['mcp-session-id']]).toEqual([404, undefined]);
    expect((await inSession(victim, fixed)).status).toBe(404);
  });

  it('[HOST-17] of another does not exist for the thief, whatever he does with it', async () => {
    const before = await auditHead(home);
    const guessed = await inSession(thief, randomUUID());
    for (const rest of [
      { body: LIST },
      { method: 'GET' },
      { method: 'DELETE' },
      {
        body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
      },
      { body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initializeParams() }) },
    ]) {
      const answer = await inSession(thief, session.id, rest);
      expect([answer.status, answer.body]).toEqual([404, guessed.body]);
    }
    const records = await auditRecords(home, { subject_name: 'thief' }, before);
    expect(records).toHaveLength(6);
    for (const record of records)
      expect(record).toMatchObject({
        kind: 'refused_request',
        tool_name: '(session)',
        error_code: 'not_found',
      });
    expect((await session.ask('tools/list')).result).toBeDefined();
  });

  it('[HOST-17] is no credential', async () => {
    const headers = session.headers.filter(([name]) => name !== 'Authorization');
    expect((await rawRequest(server.port, { headers, body: LIST })).status).toBe(401);
    expect((await inSession('0'.repeat(64), session.id)).status).toBe(401);
  });

  it('[HOST-17] does not bring the run of another with it', async () => {
    const mine = await legacyHttp(server.port, thief);
    const me = await mine.ask('tools/call', {
      name: 'get_my_scopes',
      arguments: {},
      _meta: { 'dev.sluice/run': `session:${session.id}` },
    });
    expect(structuredOf(me).run).toBe(`client:thief/session:${session.id}`);
    const them = await session.ask('tools/call', { name: 'get_my_scopes', arguments: {} });
    expect(structuredOf(them).run).toBe(`client:victim/session:${session.id}`);
  });

  it('[HOST-18] is gone after DELETE', async () => {
    const mine = await legacyHttp(server.port, victim);
    expect((await rawRequest(server.port, { method: 'DELETE', headers: mine.headers })).status).toBe(200);
    expect((await inSession(victim, mine.id)).status).toBe(404);
    expect((await inSession(victim, mine.id, { method: 'GET' })).status).toBe(404);
    expect((await rawRequest(server.port, { method: 'DELETE', headers: mine.headers })).status).toBe(404);
  });

  it('[HOST-18] is gone after the client was revoked, also for its successor of the same name', async () => {
    const first = await addClient(home, 'shortlived');
    const old = await legacyHttp(server.port, first);
    await asOwner(home, 'client.revoke', { name: 'shortlived' });
    expect((await inSession(first, old.id)).status).toBe(401);
    const second = await addClient(home, 'shortlived');
    expect((await inSession(second, old.id)).status).toBe(404);
    expect((await (await legacyHttp(server.port, second)).ask('tools/list')).result).toBeDefined();
  });

  it('[HOST-18] is gone after a restart', async () => {
    await server.stop();
    server = await startServer(home, { port: server.port });
    expect((await inSession(victim, session.id)).status).toBe(404);
    expect((await (await legacyHttp(server.port, victim)).ask('tools/list')).result).toBeDefined();
  });
});

describe('a state handle', () => {
  it('[HOST-19] of another caller shows nothing but what one’s own right allows', async () => {
    await asOwner(home, 'create_page', { title: 'Book', content: `${'word '.repeat(400)}\n\n`.repeat(30) });
    await asOwner(home, 'workspace.create', { name: 'secret' });
    const bound = await addClient(home, 'bound', { workspace: 'secret' });
    const reader = modernHttp(server.port, victim);
    const part = await reader.ask('tools/call', {
      name: 'read_page',
      arguments: { page: 'book', max_tokens: 200 },
    });
    const { next_cursor: cursor } = structuredOf(part);
    expect(cursor).toBeTruthy();
    await asOwner(home, 'workspace.open', { workspace: 'secret' });
    await asOwner(home, 'workspace.open', { workspace: 'default' });
    const stranger = modernHttp(server.port, bound);
    const stolen = await stranger.ask('tools/call', {
      name: 'read_page',
      arguments: { page: 'book', max_tokens: 200, cursor },
    });
    expect(refusalOf(stolen).code).toBe('not_found');
  });

  it('[HOST-19] for lists is taken from nobody but ourselves', async () => {
    const wire = modernHttp(server.port, victim);
    for (const cursor of [
      '',
      'x',
      '%%%',
      Buffer.from('after:').toString('base64url'),
      Buffer.from('after:../x').toString('base64url'),
      'a'.repeat(10_000),
    ]) {
      const { error } = await wire.ask('tools/list', { cursor });
      expect(error?.code, cursor).toBe(-32602);
    }
  });

  it('[HOST-19] an idempotency key of another gives nothing of his answer away', async () => {
    const args = { title: 'Mine', content: 'secret of the victim', idempotency_key: 'the-same-key' };
    const made = await modernHttp(server.port, victim).ask('tools/call', {
      name: 'create_page',
      arguments: args,
    });
    const other = await modernHttp(server.port, thief).ask('tools/call', {
      name: 'create_page',
      arguments: args,
    });
    expect(structuredOf(other).id).toBeTruthy();
    expect(structuredOf(other).id).not.toBe(structuredOf(made).id);
  });
});

it('[HOST-16] a client cannot hold more sessions than its share, nor push others out', async () => {
  const kept = await legacyHttp(server.port, victim);
  const greedy = await addClient(home, 'greedy');
  const first = await legacyHttp(server.port, greedy);
  for (let i = 0; i < 110; i += 1) await legacyHttp(server.port, greedy);
  expect((await inSession(greedy, first.id)).status).toBe(404);
  expect((await kept.ask('tools/list')).result).toBeDefined();
  const { sessions } = await asOwner<{ sessions: number }>(home, 'get_mcp_status');
  expect(sessions).toBeLessThanOrEqual(120);
}, 120_000);
