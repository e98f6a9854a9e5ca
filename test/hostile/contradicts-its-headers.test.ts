/** Sends requests whose headers say one thing and whose bodies another, so that two readers would decide differently. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditHead, auditRecords } from '../support/audit.ts';
import { modernRequest } from '../support/mcp-clients.ts';
import { addClient } from '../support/owner.ts';
import { type RunningServer, startServer } from '../support/process.ts';
import { type RawAnswer, rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { legacyHttp } from '../support/wires.ts';

const home = temporaryFolder();
let server: RunningServer;
let token: string;
let before = 0;

beforeAll(async () => {
  server = await startServer(home);
  token = await addClient(home, 'liar');
});
afterAll(() => server?.stop());
beforeEach(async () => {
  before = await auditHead(home);
});

type Headers = readonly (readonly [string, string])[];
const HEADER_MISMATCH = -32020;

function post(method: string, params: Record<string, unknown>, change: (headers: Headers) => Headers) {
  const { body, headers } = modernRequest(method, params);
  return rawRequest(server.port, {
    headers: [['Authorization', `Bearer ${token}`], ...change(Object.entries(headers))],
    body: JSON.stringify(body),
  });
}
const set =
  (name: string, value: string) =>
  (headers: Headers): Headers => [...headers.filter(([known]) => known !== name), [name, value]];
const without =
  (name: string) =>
  (headers: Headers): Headers =>
    headers.filter(([known]) => known !== name);
const again =
  (name: string, value: string) =>
  (headers: Headers): Headers => [...headers, [name, value]];
const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

const SEARCH = { name: 'search', arguments: { query: 'x' } };
const call = (change: (headers: Headers) => Headers): Promise<RawAnswer> =>
  post('tools/call', SEARCH, change);

/** The one record of the refusal, and no record of a call. */
async function expectRecorded(kind: string): Promise<void> {
  const records = (await auditRecords(home, {}, before)).filter(
    (record) => record.tool_name !== 'audit.list',
  );
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({ kind, decision: 'deny', error_code: 'invalid_request' });
}

describe('a header that contradicts the body', () => {
  const changes: readonly [string, (headers: Headers) => Headers][] = [
    ['Mcp-Name names another tool', set('mcp-name', 'read_page')],
    ['Mcp-Name in another case', set('mcp-name', 'SEARCH')],
    ['Mcp-Name empty', set('mcp-name', '')],
    ['Mcp-Name missing', without('mcp-name')],
    ['Mcp-Name as base64 of another tool', set('mcp-name', base64('read_page'))],
    ['Mcp-Name as base64 twice over', set('mcp-name', base64(base64('search')))],
    ['Mcp-Name as broken base64', set('mcp-name', '=?base64?c2V!cmNo?=')],
    ['Mcp-Name as base64 of no text', set('mcp-name', '=?base64?/w==?=')],
    ['Mcp-Name as base64 without its end', set('mcp-name', '=?base64?c2VhcmNo')],
    ['Mcp-Name with two values', set('mcp-name', 'search, read_page')],
    ['Mcp-Method names another method', set('mcp-method', 'tools/list')],
    ['Mcp-Method in another case', set('mcp-method', 'Tools/Call')],
    ['Mcp-Method missing', without('mcp-method')],
    ['Mcp-Method with two values', set('mcp-method', 'tools/call, tools/list')],
    ['MCP-Protocol-Version names another revision', set('mcp-protocol-version', '2025-11-25')],
    ['MCP-Protocol-Version names none there is', set('mcp-protocol-version', '2099-01-01')],
    ['MCP-Protocol-Version missing', without('mcp-protocol-version')],
  ];

  it.each(changes)(
    '[HOST-12] %s: refused before anything is decided, and recorded',
    async (_title, change) => {
      const answer = await call(change);
      expect([answer.status, answer.message?.error?.code]).toEqual([400, HEADER_MISMATCH]);
      await expectRecorded('refused_request');
    },
  );

  it('[HOST-12] the name of a prompt and the URI of a resource count as well', async () => {
    const prompt = await post('prompts/get', { name: 'weekly_review' }, set('mcp-name', 'summarize_page'));
    expect([prompt.status, prompt.message?.error?.code]).toEqual([400, HEADER_MISMATCH]);
    const uri = 'sluice://workspace/tree';
    const resource = await post('resources/read', { uri }, set('mcp-name', 'sluice://workspace/page/a'));
    expect([resource.status, resource.message?.error?.code]).toEqual([400, HEADER_MISMATCH]);
    const list = await post('tools/list', {}, set('mcp-method', 'resources/list'));
    expect([list.status, list.message?.error?.code]).toEqual([400, HEADER_MISMATCH]);
  });

  it('[HOST-12] a hidden tool behind a visible name is refused for the contradiction, not for the tool', async () => {
    const hidden = await post('tools/call', { name: 'get_mcp_token' }, set('mcp-name', 'search'));
    const absent = await post('tools/call', { name: 'get_mcp_tokex' }, set('mcp-name', 'search'));
    expect(hidden.body.replaceAll('get_mcp_token', 'NAME')).toBe(
      absent.body.replaceAll('get_mcp_tokex', 'NAME'),
    );
    expect(hidden.message?.error?.code).toBe(HEADER_MISMATCH);
  });

  it('[HOST-12] a modern header cannot make a message of 2025 modern, nor the other way round', async () => {
    const session = await legacyHttp(server.port, token);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: SEARCH });
    const headers = session.headers.map(([name, value]) =>
      name === 'MCP-Protocol-Version' ? ([name, '2026-07-28'] as const) : ([name, value] as const),
    );
    const answer = await rawRequest(server.port, { headers, body });
    expect(answer.status).toBe(400);
    const opening = modernRequest('initialize', { protocolVersion: '2025-11-25' });
    const opened = await rawRequest(server.port, {
      headers: [['Authorization', `Bearer ${token}`], ...Object.entries(opening.headers)],
      body: JSON.stringify(opening.body),
    });
    expect([opened.status, opened.headers['mcp-session-id']]).toEqual([404, undefined]);
  });
});

describe('a header sent twice', () => {
  const twice: readonly [string, string][] = [
    ['mcp-name', 'search'],
    ['mcp-name', 'read_page'],
    ['mcp-method', 'tools/call'],
    ['mcp-method', 'tools/list'],
    ['mcp-protocol-version', '2026-07-28'],
    ['Authorization', 'Bearer x'],
    ['content-type', 'text/plain'],
    ['mcp-session-id', 'x'],
  ];

  it.each(twice)('[HOST-13] %s: %s is refused whatever the second says', async (name, value) => {
    const change =
      name === 'mcp-session-id'
        ? (headers: Headers) => again(name, value)(again(name, value)(headers))
        : again(name, value);
    const answer = await call(change);
    expect(answer.status).toBe(400);
    expect(answer.body).toContain(name.toLowerCase());
  });

  it('[HOST-13] leaves a record of the first and counts the rest', async () => {
    const records = await auditRecords(home, { gate: 'header' });
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      kind: 'refused_source',
      error_code: 'invalid_request',
      source: '127.0.0.1',
    });
    await server.stop();
    server = await startServer(home);
    const counted = (await auditRecords(home, { gate: 'header' })).map((record) => record.repeat_count);
    expect(counted).toEqual([1, twice.length - 1]);
  });
});

it('[HOST-12] what agrees is served, in any writing that means the same', async () => {
  for (const change of [
    (headers: Headers) => headers,
    set('mcp-name', base64('search')),
    set('mcp-name', '  search\t'),
    set('accept', 'application/json'),
  ]) {
    const answer = await call(change);
    expect([answer.status, answer.message?.result?.isError]).toEqual([200, undefined]);
  }
});

it('[HOST-12] lengths and encodings of the body leave no room for a second request', async () => {
  const { body, headers } = modernRequest('tools/call', SEARCH);
  const text = JSON.stringify(body);
  const given: Headers = [['Authorization', `Bearer ${token}`], ...Object.entries(headers)];
  const smuggled: Headers[] = [
    [...given, ['Content-Length', String(text.length)], ['Transfer-Encoding', 'chunked']],
    [...given, ['Content-Length', String(text.length)], ['Content-Length', '5']],
    [...given, ['Content-Length', `${text.length}, ${text.length}`]],
    [...given, ['Transfer-Encoding', 'identity, chunked, xchunked']],
    [...given, ['Content-Length', '-5']],
    [...given, ['Content-Length', '+5']],
  ];
  for (const one of smuggled) {
    const answer = await rawRequest(server.port, { headers: one, body: text });
    expect(answer.status).toBe(400);
  }
  expect((await call((headers) => headers)).status).toBe(200);
});
