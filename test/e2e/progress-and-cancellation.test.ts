/** Calls that take their time: what their callers hear meanwhile, and how they give them up. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditFacts, auditRecords } from '../support/audit.ts';
import { type FixtureServer, startFixtureServer } from '../support/fixture-server.ts';
import { connectHttp, connectStdio, type Era, modernRequest } from '../support/mcp-clients.ts';
import { addClient } from '../support/owner.ts';
import { messagesIn, openSocket, rawRequest, renderRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/timing.ts';
import { initializeParams, legacyHttp, startStdio } from '../support/wires.ts';

const home = temporaryFolder();
let server: FixtureServer;
let token = '';

beforeAll(async () => {
  server = await startFixtureServer(home);
  token = await addClient(home, 'patient');
});
afterAll(() => server?.close());

const running = (): number => server.seen.filter(({ tool }) => tool === 'fixture.wait').length;
const LONG = { name: 'fixture.wait', arguments: { ms: 50_000, steps: 1 } };

/** Waits for the record that ends the newest call of this kind. */
async function lastEnd(): Promise<AuditFacts | undefined> {
  let last: AuditFacts | undefined;
  await until(async () => {
    const records = await auditRecords(home, { tool_name: 'fixture.wait', subject_name: 'patient' });
    last = records.at(-1);
    return last?.phase === 'finished';
  });
  return last;
}

const ways: readonly [string, Era, 'http' | 'stdio'][] = [
  ['HTTP of 2026', 'modern', 'http'],
  ['HTTP of 2025', 'legacy', 'http'],
  ['stdio of 2026', 'modern', 'stdio'],
  ['stdio of 2025', 'legacy', 'stdio'],
];
const open = (era: Era, wire: 'http' | 'stdio') =>
  wire === 'http' ? connectHttp(server.url ?? '', token, era) : connectStdio(home, 'patient', era);

describe.each(ways)('over %s', (_title, era, wire) => {
  it('[MCP-10] progress comes to whoever asked for it, in order, before the answer', async () => {
    const client = await open(era, wire);
    const heard: unknown[] = [];
    const answer = await client.callTool(
      { name: 'fixture.wait', arguments: { ms: 60, steps: 3 } },
      { onprogress: (step) => heard.push(step) },
    );
    expect(answer.structuredContent).toEqual({ waited: 60 });
    // What arrives in one piece with the answer this client does not pass on; the raw wire below is exact.
    const steps = [1, 2, 3].map((n) => ({ progress: n, total: 3, message: `step ${n}` }));
    expect(heard.length).toBeGreaterThanOrEqual(2);
    expect(heard).toEqual(steps.slice(0, heard.length));
    await client.close();
  });

  it('[MCP-11] a call that its client gives up ends at once', async () => {
    const client = await open(era, wire);
    const before = running();
    const abort = new AbortController();
    const call = client.callTool(LONG, { signal: abort.signal }).catch((error: Error) => error);
    await until(() => running() === before + 1);
    abort.abort('changed my mind');
    expect(await call).toBeInstanceOf(Error);
    const ended = await lastEnd();
    expect(ended).toMatchObject({ status: 'error', error_code: 'cancelled', decision: 'allow' });
    expect(Number(ended?.duration_ms)).toBeLessThan(4_000);
    const next = await client.callTool({ name: 'fixture.wait', arguments: { ms: 1 } });
    expect(next.structuredContent).toEqual({ waited: 1 });
    await client.close();
  });
});

describe('on the raw wire', () => {
  it('[MCP-10] every step is there, in order, before the answer', async () => {
    const params = { name: 'fixture.wait', arguments: { ms: 30, steps: 3 }, _meta: { progressToken: 'p' } };
    const legacyBody = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const session = await legacyHttp(server.port, token);
    const legacy = await rawRequest(server.port, {
      headers: session.headers,
      body: JSON.stringify(legacyBody),
    });
    const asked = modernRequest('tools/call', params);
    const modern = await rawRequest(server.port, {
      headers: [['Authorization', `Bearer ${token}`], ...Object.entries(asked.headers)],
      body: JSON.stringify(asked.body),
    });
    const program = startStdio(home, ['--client', 'patient']);
    program.send(asked.body);
    await program.answer(1);
    await program.close();
    for (const messages of [messagesIn(legacy.body), messagesIn(modern.body), program.received()]) {
      expect(messages.map(({ method, params: told }) => [method, told?.progress])).toEqual([
        ['notifications/progress', 1],
        ['notifications/progress', 2],
        ['notifications/progress', 3],
        [undefined, undefined],
      ]);
      expect(messages[0]?.params).toMatchObject({ progressToken: 'p', total: 3, message: 'step 1' });
    }
  });

  it('[MCP-10] nobody hears of progress who did not ask', async () => {
    const session = await legacyHttp(server.port, token);
    const params = { name: 'fixture.wait', arguments: { ms: 20, steps: 4 } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const legacy = await rawRequest(server.port, { headers: session.headers, body });
    expect(messagesIn(legacy.body)).toHaveLength(1);
    const asked = modernRequest('tools/call', params);
    const modern = await rawRequest(server.port, {
      headers: [['Authorization', `Bearer ${token}`], ...Object.entries(asked.headers)],
      body: JSON.stringify(asked.body),
    });
    expect(modern.headers['content-type']).toBe('application/json');
  });

  it('[MCP-11] in 2026 closing the connection gives the call up', async () => {
    const before = running();
    const { body, headers } = modernRequest('tools/call', LONG);
    const socket = await openSocket(server.port);
    socket.write(
      renderRequest(server.port, {
        headers: [['Authorization', `Bearer ${token}`], ...Object.entries(headers)],
        body: JSON.stringify(body),
      }),
    );
    await until(() => running() === before + 1);
    socket.destroy();
    expect(await lastEnd()).toMatchObject({ error_code: 'cancelled' });
  });

  it('[MCP-11] in a session the stream of a call that was given up is closed, not kept', async () => {
    const session = await legacyHttp(server.port, token);
    const before = running();
    const calls = Array.from({ length: 5 }, (_, id) =>
      rawRequest(server.port, {
        headers: session.headers,
        body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: LONG }),
      }),
    );
    await until(() => running() === before + 5);
    for (let id = 0; id < 5; id += 1) {
      const params = { requestId: id, reason: 'enough' };
      const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      expect((await rawRequest(server.port, { headers: session.headers, body })).status).toBe(202);
    }
    for (const answer of await Promise.all(calls)) {
      expect([answer.status, messagesIn(answer.body)]).toEqual([200, []]);
    }
    expect((await session.ask('tools/list')).result).toBeDefined();
  });

  it('[MCP-11] nobody gives up the calls of another, not even in a session of the same client', async () => {
    const [mine, other] = [await legacyHttp(server.port, token), await legacyHttp(server.port, token)];
    const before = running();
    const params = { name: 'fixture.wait', arguments: { ms: 600 } };
    const call = mine.ask('tools/call', params);
    await until(() => running() === before + 1);
    const body = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });
    await rawRequest(server.port, { headers: other.headers, body });
    expect((await call).result?.structuredContent).toEqual({ waited: 600 });
  });

  it('[MCP-11] a program over stdio that gave its call up can leave', async () => {
    const program = startStdio(home, ['--client', 'patient']);
    program.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initializeParams() });
    await program.answer(0);
    const before = running();
    program.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: LONG });
    await until(() => running() === before + 1);
    program.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    program.child.stdin?.end();
    expect(await program.ended()).toBe(0);
    expect(program.received().some(({ id }) => id === 1)).toBe(false);
  });
});
