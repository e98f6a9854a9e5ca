/** What only sessions have: streams that are taken up again, and log lines from a level on. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWithConformance } from '../conformance/fixture/server.ts';
import type { FixtureServer } from '../support/fixture-server.ts';
import { connectHttp, modernRequest } from '../support/mcp-clients.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { messagesIn, rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type LegacySession, legacyHttp } from '../support/wires.ts';

const home = temporaryFolder();
let server: FixtureServer;
let token: string;
let session: LegacySession;
beforeAll(async () => {
  server = await startWithConformance(home);
  token = await addClient(home, 'session');
  session = await legacyHttp(server.port, token);
});
afterAll(() => server.close());

/** Opens a stream, reads until `enough` and hangs up. */
function readSome(
  method: string,
  headers: readonly (readonly [string, string])[],
  body: string,
  enough: (text: string) => boolean,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { port: server.port, host: '127.0.0.1', path: '/mcp', method, headers: Object.fromEntries(headers) },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
          if (!enough(text)) return;
          resolve(text);
          outgoing.destroy();
        });
        answer.on('end', () => resolve(text));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const eventIds = (text: string): string[] => [...text.matchAll(/^id: (.+)$/gm)].map(([, id = '']) => id);

describe('[PROTO-12] a client that lost the stream of its call', () => {
  it('is told when to come back, and gets the rest by the last event it had', async () => {
    const call = { name: 'test_tool_with_progress', arguments: {}, _meta: { progressToken: 7 } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'lost', method: 'tools/call', params: call });
    const first = await readSome('POST', session.headers, body, (text) => text.includes('"progress":0'));
    expect(first).toMatch(/^retry: \d+$/m);
    const last = eventIds(first).at(-1) ?? '';
    const get = [...session.headers, ['Last-Event-ID', last] as const];
    const rest = await readSome('GET', get, '', (text) => text.includes('"id":"lost"'));
    const messages = messagesIn(rest);
    expect(messages.map(({ params }) => params?.progress)).toEqual([50, 100, undefined]);
    expect(messages.at(-1)).toMatchObject({ id: 'lost', result: { content: [{ type: 'text' }] } });
  });

  it('gets nothing by an event of somebody else, or one that never was', async () => {
    const other = await legacyHttp(server.port, token);
    const ping = { jsonrpc: '2.0', id: 'mine', method: 'ping' };
    const mine = await rawRequest(server.port, { headers: session.headers, body: JSON.stringify(ping) });
    for (const id of [eventIds(mine.body)[0] ?? 'none', '1', 'x']) {
      const answer = await rawRequest(server.port, {
        method: 'GET',
        headers: [...other.headers, ['Last-Event-ID', id]],
      });
      expect(answer.status, id).toBeGreaterThanOrEqual(400);
    }
    await other.close();
  });
});

describe('[PROTO-13] log lines of a call', () => {
  it('come to a session from the level it asked for, and not before it asked', async () => {
    const client = await connectHttp(`http://127.0.0.1:${server.port}/mcp`, token, 'legacy');
    const lines: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void lines.push(params.data));
    const call = () => client.callTool({ name: 'test_tool_with_logging', arguments: {} });
    await call();
    expect(lines).toEqual([]);
    await client.setLoggingLevel('warning');
    await call();
    expect(lines).toEqual([]);
    await client.setLoggingLevel('info');
    await call();
    expect(lines).toHaveLength(3);
    await client.close();
  });

  it.each([
    [undefined, 0],
    ['error', 0],
    ['debug', 3],
  ])('come without a session when the request says %s: %i', async (level, count) => {
    const _meta = level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level };
    const { body, headers } = modernRequest('tools/call', {
      name: 'test_logging_tool',
      arguments: {},
      _meta,
    });
    const answer = await rawRequest(server.port, {
      headers: [['Authorization', `Bearer ${token}`], ...Object.entries(headers)],
      body: JSON.stringify(body),
    });
    const lines = messagesIn(answer.body).filter(({ method }) => method === 'notifications/message');
    expect(lines).toHaveLength(count);
  });
});

describe('[PROTO-14] suggestions', () => {
  const complete = (ref: object, name: string, value: string) =>
    session.ask('completion/complete', { ref, argument: { name, value } });

  it('come for arguments of prompts and variables of templates', async () => {
    await asOwner(home, 'create_page', { title: 'Garden', content: '' });
    await asOwner(home, 'create_page', { title: 'Gate', parent: 'garden', content: '' });
    const prompt = { type: 'ref/prompt', name: 'summarize_page' };
    const template = { type: 'ref/resource', uri: 'sluice://workspace/page/{slug}' };
    expect((await complete(prompt, 'page', 'gar')).result?.completion).toMatchObject({ values: ['garden'] });
    expect((await complete(template, 'slug', 'Garden/g')).result?.completion).toMatchObject({
      values: ['Garden/gate'],
    });
    expect((await complete(prompt, 'nothing', 'g')).result?.completion).toMatchObject({ values: [] });
  });

  it('are calls under the same gates: what is switched off is not there', async () => {
    await asOwner(home, 'set_tool_enabled', { tool: 'summarize_page', enabled: false });
    const hidden = await complete({ type: 'ref/prompt', name: 'summarize_page' }, 'page', '');
    const absent = await complete({ type: 'ref/prompt', name: 'no_such_prompt' }, 'page', '');
    expect(hidden.error?.code).toBe(absent.error?.code);
    expect(hidden.error?.message.replace('summarize_page', 'no_such_prompt')).toBe(absent.error?.message);
    await asOwner(home, 'set_tool_enabled', { tool: 'summarize_page', enabled: true });
  });
});

it('[PROTO-15] a header that repeats an argument must say the same, or there is no call', async () => {
  const { body, headers } = modernRequest('tools/call', {
    name: 'test_mirrored_argument',
    arguments: { region: 'eu' },
  });
  const send = (value: string | undefined) =>
    rawRequest(server.port, {
      headers: [
        ['Authorization', `Bearer ${token}`],
        ...Object.entries(headers),
        ...(value === undefined ? [] : [['Mcp-Param-Region', value] as const]),
      ],
      body: JSON.stringify(body),
    });
  expect((await send('eu')).message?.result).toMatchObject({ content: [{ text: 'In eu' }] });
  expect((await send('=?base64?ZXU=?=')).status).toBe(200);
  for (const value of [undefined, 'us', '=?base64?ZXU?=', 'eu, eu']) {
    const { status, message } = await send(value);
    expect([status, message?.error?.code], value).toEqual([400, -32020]);
  }
});
