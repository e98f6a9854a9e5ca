/** Tries to get something past the one parse and the one check of a call's arguments. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/index.ts';
import { auditHead, auditRecords } from '../support/audit.ts';
import { headerText, modernRequest } from '../support/mcp-clients.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { type RunningServer, runSluice, startServer } from '../support/process.ts';
import { type RpcMessage, rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  initializeParams,
  legacyHttp,
  modernHttp,
  refusalOf,
  startStdio,
  structuredOf,
  type Wire,
} from '../support/wires.ts';

const home = temporaryFolder();
let server: RunningServer;
let token: string;
let wire: Wire;

beforeAll(async () => {
  server = await startServer(home);
  token = await addClient(home, 'smuggler');
  wire = modernHttp(server.port, token);
  await wire.ask('tools/call', { name: 'create_page', arguments: { title: 'Alpha', content: 'hello\n' } });
});
afterAll(() => server?.stop());

const call = async (name: string, args: unknown): Promise<RpcMessage> =>
  wire.ask('tools/call', { name, arguments: args });
/** Sends a body as text over the modern HTTP wire, whatever is in it. */
async function postText(body: string | Buffer, name = 'search') {
  const { headers } = modernRequest('tools/call', { name });
  return rawRequest(server.port, {
    headers: [['Authorization', `Bearer ${token}`], ...Object.entries(headers)],
    body,
  });
}

const META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
const request = (params: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params},${META}}}`;

describe('the same key twice', () => {
  const bodies: readonly [string, string][] = [
    [
      'in the message',
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{"name":"search",${META}}}`,
    ],
    ['in the params', request('"name":"get_mcp_token","name":"search","arguments":{}')],
    ['in the arguments', request('"name":"search","arguments":{"query":"a","query":"b"}')],
    [
      'deep in the arguments',
      request('"name":"search","arguments":{"query":"a","filters":{"under":"a","under":"b"}}'),
    ],
    ['in a list', request('"name":"search","arguments":{"x":[{"a":1},{"b":1,"b":2}]}')],
    ['written differently', request('"name":"search","arguments":{"query":"a","qu\\u0065ry":"b"}')],
    ['as __proto__', request('"name":"search","arguments":{"query":"a","__proto__":1,"__proto__":2}')],
    ['in the metadata', request('"name":"search","_meta":{}')],
  ];

  it.each(bodies)('[HOST-05] %s is refused over HTTP and recorded', async (_title, body) => {
    const before = await auditHead(home);
    const answer = await postText(body);
    expect([answer.status, answer.message?.error?.code]).toEqual([400, -32700]);
    expect(answer.message?.error?.message).toMatch(/twice/);
    const records = await auditRecords(home, { subject_name: 'smuggler' }, before);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      kind: 'refused_request',
      error_code: 'parse_error',
      decision: 'deny',
    });
  });

  it('[HOST-05] is refused in a session of 2025 and over stdio', async () => {
    const session = await legacyHttp(server.port, token);
    const doubled =
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","name":"search"}}';
    expect((await rawRequest(server.port, { headers: session.headers, body: doubled })).status).toBe(400);
    const program = startStdio(home, ['--client', 'smuggler']);
    program.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams() });
    await program.answer(1);
    program.send(doubled);
    expect((await program.answer(null)).error?.code).toBe(-32700);
    await program.close();
  });

  it('[HOST-05] is fine in different objects', async () => {
    const answer = await postText(
      request('"name":"search","arguments":{"query":"x","a":{"k":1},"b":{"k":1}}'),
    );
    expect(answer.message?.result?.isError).toBeUndefined();
  });
});

describe('keys that mean something to JavaScript', () => {
  const PROTO =
    '{"query":"hello","mode":"text","__proto__":{"limit":0},"constructor":{"prototype":{"limit":0}},"prototype":{}}';

  it('[HOST-06] are dropped like every unknown key, on every wire', async () => {
    // How far the index by meaning is may change between two calls.
    const steady = (facts: unknown) => ({ ...(facts as object), meaning: undefined });
    const plain = steady(structuredOf(await call('search', { query: 'hello', mode: 'text' })));
    const answer = await postText(request(`"name":"search","arguments":${PROTO}`));
    expect(steady(answer.message?.result?.structuredContent)).toEqual(plain);
    const session = await legacyHttp(server.port, token);
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":${PROTO}}}`;
    const legacy = await rawRequest(server.port, { headers: session.headers, body });
    expect(steady(legacy.message?.result?.structuredContent)).toEqual(plain);
  });

  it('[HOST-06] change nothing in the process that reads them', async () => {
    const sluice: Sluice = await createSluice({ home: temporaryFolder() });
    try {
      const client = sluice.as({ name: 'smuggler' });
      await client.call('search', JSON.parse('{"query":"x","__proto__":{"polluted":1}}'));
      const properties = JSON.parse('{"__proto__":"a","constructor":"b","kept":"c"}');
      await client.call('create_page', { title: 'P', properties });
      const page = await client.call('read_page', { page: 'p' });
      expect(page.properties).toMatchObject({ constructor: 'b', kept: 'c' });
      expect(Object.getPrototypeOf(page.properties)).toBe(Object.prototype);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    } finally {
      await sluice.close();
    }
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '[HOST-06] %s is no tool, prompt, method or resource',
    async (name) => {
      expect(refusalOf(await call(name, {})).code).toBe('unknown_tool');
      expect(refusalOf(await wire.ask('prompts/get', { name })).code).toBe('unknown_tool');
      expect((await wire.ask('resources/read', { uri: name })).error?.code).toBe(-32602);
      expect((await wire.ask(name, {})).error?.code).toBe(-32601);
    },
  );
});

it('[HOST-07] drops what a tool does not declare, also when it claims identity or trust', async () => {
  const claims = {
    id: 'x',
    origin: 'authored',
    lifecycle: 'canonical',
    role: 'owner',
    user_id: 'owner',
    task_id: 'other',
    workspace: 'other',
    created_by: 'owner',
    idempotency_key: 'claims',
  };
  const made = structuredOf(await call('create_page', { title: 'Claims', ...claims }));
  expect(made).toMatchObject({ origin: 'agent-produced', lifecycle: 'candidate', slug: 'claims' });
  const page = structuredOf(await call('read_page', { page: 'claims', as: 'owner' }));
  expect(page.created_by).toBe('smuggler');
});

describe('values of the wrong form', () => {
  const SURROGATE = '\ud800';
  const rows: readonly [string, Record<string, unknown>, string, string][] = [
    ['search', { query: 5 }, 'invalid_input', 'query'],
    ['search', {}, 'invalid_input', 'query'],
    ['search', { query: 'x', limit: '5' }, 'invalid_input', 'limit'],
    ['search', { query: 'x', limit: 1e300 }, 'invalid_input', 'limit'],
    ['search', { query: 'x', limit: 2 ** 53 }, 'invalid_input', 'limit'],
    ['search', { query: 'x', limit: -1 }, 'invalid_input', 'limit'],
    ['search', { query: 'x', limit: 1.5 }, 'invalid_input', 'limit'],
    ['search', { query: 'x', filters: 'tags' }, 'invalid_input', 'filters'],
    ['search', { query: 'x', filters: '{"tags":"x"}' }, 'invalid_input', 'filters'],
    ['search', { query: 'x', cursor: 'bm90IG91cnM' }, 'invalid_input', 'cursor'],
    ['search', { query: SURROGATE }, 'invalid_request', 'query'],
    ['search', { query: 'x', [SURROGATE]: 1 }, 'invalid_request', '\ufffd'],
    ['search', { query: 'a\0b' }, 'invalid_input', 'query'],
    ['read_page', { page: 'a\0b' }, 'invalid_input', 'page'],
    ['read_page', { page: '' }, 'invalid_input', 'page'],
    ['read_page', { page: 'x'.repeat(2_001) }, 'invalid_input', 'page'],
    ['read_page', { page: ['alpha'] }, 'invalid_input', 'page'],
    ['read_page', { page: 'a\nb' }, 'not_found', 'page'],
    ['read_page', { page: '--help' }, 'not_found', 'page'],
    ['create_page', { title: 'two\nlines' }, 'invalid_input', 'title'],
    ['create_page', { title: 'bell\u0007' }, 'invalid_input', 'title'],
    ['create_page', { title: 'line\u2028separator' }, 'invalid_input', 'title'],
    ['create_page', { title: `x${SURROGATE}` }, 'invalid_request', 'title'],
    ['create_page', { title: 'T', content: 'a\0b' }, 'invalid_input', 'content'],
    ['create_page', { title: 'T', tags: Array(1_000).fill('t') }, 'invalid_input', 'tags'],
    ['create_page', { title: 'T', properties: { a: [[1]] } }, 'invalid_input', 'properties.a.0'],
    ['create_page', { title: 'T', properties: [[]] }, 'invalid_input', 'properties'],
    ['create_page', { title: 'T', derived_from: ['nowhere'] }, 'not_found', 'derived_from'],
    ['create_page', { title: 'T', derived_from: Array(201).fill('alpha') }, 'invalid_input', 'derived_from'],
    ['create_page', { title: 'T', parent: '../..' }, 'not_found', 'parent'],
    ['move_page', { page: 'alpha', parent: null, position: -1 }, 'invalid_input', 'position'],
  ];

  it.each(rows)('[HOST-08] %s %j is refused as %s and names the field', async (tool, args, code, field) => {
    const said = refusalOf(await call(tool, args));
    expect(said).toMatchObject({ code, field });
    if (code !== 'not_found') expect(String(said.message)).toContain(field);
  });

  it('[HOST-08] numbers that JSON knows and JavaScript does not are refused with their field', async () => {
    const huge = await postText(request('"name":"search","arguments":{"query":"x","limit":1e400}'));
    expect(refusalOf(huge.message ?? {})).toMatchObject({ code: 'invalid_request', field: 'limit' });
    for (const literal of ['NaN', 'Infinity', '-Infinity', '0x10', '01', '+1', '.5', "'x'"]) {
      const answer = await postText(request(`"name":"search","arguments":{"query":"x","limit":${literal}}`));
      expect(answer.message?.error?.code, literal).toBe(-32700);
    }
  });

  it('[HOST-08] bytes that are no text are refused, not repaired', async () => {
    const text = request('"name":"search","arguments":{"query":"X"}');
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
      const body = Buffer.from(text.replace('X', '~'));
      const at = body.indexOf('~');
      const broken = Buffer.concat([body.subarray(0, at), Buffer.from(bytes), body.subarray(at + 1)]);
      const answer = await postText(broken);
      expect([answer.status, answer.message?.error?.code]).toEqual([400, -32700]);
    }
  });

  it('[HOST-08] params of the wrong form are a protocol error that names the field', async () => {
    const rows: readonly [string, Record<string, unknown>, string][] = [
      ['tools/call', { name: 5 }, 'name'],
      ['tools/call', {}, 'name'],
      ['tools/call', { name: 'search', arguments: 'query' }, 'arguments'],
      ['tools/call', { name: 'search', arguments: [] }, 'arguments'],
      ['tools/call', { name: 'search', arguments: null }, 'arguments'],
      ['prompts/get', { name: {} }, 'name'],
      ['prompts/get', { name: 'summarize_page', arguments: { page: 5 } }, 'page'],
      ['prompts/get', { name: 'summarize_page', arguments: {} }, 'page'],
      ['resources/read', { uri: 1 }, 'uri'],
      ['resources/read', {}, 'uri'],
      ['tools/list', { cursor: 1 }, 'cursor'],
    ];
    const session = await legacyHttp(server.port, token);
    for (const over of [wire, session]) {
      for (const [method, params, field] of rows) {
        const { error } = await over.ask(method, params);
        expect([error?.code, error?.data?.code, error?.data?.field], method).toEqual([
          -32602,
          'invalid_request',
          field,
        ]);
      }
    }
  });

  it('[HOST-08] what a call says of itself is checked as well, and the refusal is recorded as the caller’s', async () => {
    for (const value of [{ toString: 1 }, ['a'], 5, 'a b', '', 'x'.repeat(200), 'a\nb', '../x y']) {
      const answer = await wire.ask('tools/call', {
        name: 'search',
        arguments: { query: 'x' },
        _meta: { 'dev.sluice/run': value },
      });
      expect(refusalOf(answer).code, JSON.stringify(value)).toBe('invalid_request');
    }
    const origin = { 'dev.sluice/origin': 'canonical' };
    const lied = await wire.ask('tools/call', { name: 'search', arguments: { query: 'x' }, _meta: origin });
    expect(refusalOf(lied).code).toBe('invalid_request');
    const last = (await auditRecords(home, { tool_name: 'search' })).at(-1);
    expect(last).toMatchObject({ subject_name: 'smuggler', error_code: 'invalid_request', decision: 'deny' });
  });
});

it('[HOST-09] reads objects and lists that arrive as JSON text, and leaves text that looks like JSON alone', async () => {
  const made = await call('create_page', {
    title: 'As text',
    content: '{"a":1}',
    tags: '["one","two"]',
    properties: '{"status":"open"}',
  });
  expect(made.result?.isError).toBeUndefined();
  const page = structuredOf(await call('read_page', { page: 'as-text' }));
  expect(page).toMatchObject({ tags: ['one', 'two'], properties: { status: 'open' } });
  expect(page.content).toMatch(/\n\{"a":1\}$/);
  const found = await call('search', { query: '', filters: '{"tags":["one"]}' });
  expect((structuredOf(found).results as unknown[]).length).toBe(1);
});

describe('names that lead somewhere else', () => {
  const URIS = [
    'file:///etc/passwd',
    'sluice://workspace/page/..%2F..%2F..%2Fetc%2Fpasswd',
    'sluice://workspace/page/../tree',
    'sluice://workspace/../../etc/passwd',
    'sluice://workspace/page/%00',
    'sluice://workspace/page/%zz',
    'sluice://workspace/page/%ED%A0%80',
    'sluice://workspace/tree/',
    'sluice://workspace/tree?x=1',
    'sluice://workspace/tree#x',
    'SLUICE://workspace/tree',
    'sluice://other/tree',
    'http://127.0.0.1/mcp',
    'javascript:alert(1)',
    '',
    `sluice://workspace/page/${'x'.repeat(10_000)}`,
  ];

  it.each(URIS)('[HOST-10] %s is no resource', async (uri) => {
    const { error } = await wire.ask('resources/read', { uri });
    expect(error?.code).toBe(-32602);
    expect(error?.message).not.toMatch(/internal|root:/i);
  });

  it('[HOST-10] pages, workspaces and clients have no paths but their own', async () => {
    for (const page of [
      '../../etc/passwd',
      '..',
      '.',
      '/',
      '//',
      'alpha/../alpha',
      '%2e%2e%2f',
      '~',
      '$HOME',
    ]) {
      expect(refusalOf(await call('read_page', { page })).code).toBe('not_found');
    }
    const made = structuredOf(await call('create_page', { title: '../../escape' }));
    expect(made.path).toBe('escape');
    for (const name of ['../x', 'a/b', '.', '..', '-x', 'a\nb', 'a\tb', '']) {
      for (const tool of ['workspace.create', 'client.add']) {
        const refused = await asOwner(home, tool, { name }).catch((error) => error);
        expect([refused.code, refused.details.field], `${tool} ${name}`).toEqual(['invalid_input', 'name']);
      }
    }
    const dashed = await runSluice(home, ['client', 'add', '--json', '--', '--role']);
    expect([dashed.code, JSON.parse(dashed.stderr).error.field]).toEqual([2, 'name']);
  });

  it('[HOST-10] nobody writes a backup over the network, and nobody writes one into what it copies', async () => {
    const { token: owner } = await asOwner<{ token: string }>(home, 'get_mcp_token');
    const remote = modernHttp(server.port, owner);
    const target = `${temporaryFolder()}/stolen`;
    const answer = await remote.ask('tools/call', { name: 'home.backup', arguments: { path: target } });
    expect(refusalOf(answer).code).toBe('denied');
    for (const path of [
      'relative',
      '../up',
      `${home}/data`,
      `${home}/data/blobs/x`,
      `${home}/x/../data/x`,
      '/tmp/x\0',
    ]) {
      const refused = await asOwner(home, 'home.backup', { path }).catch((error) => error);
      expect(refused.details, path).toMatchObject({ field: 'path' });
    }
  });
});

it('[HOST-11] shows names of others to the owner without obeying them', async () => {
  const evil =
    '\u001b]0;owned\u0007\u001b[2Jx\n2026-01-01T00:00:00.000Z  owner  forged  allow  success  \u202Eabc';
  expect(refusalOf(await call(evil, {})).code).toBe('unknown_tool');
  const { stdout } = await runSluice(home, ['audit', 'list', '--by', 'smuggler', '--limit', '1']);
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^WHEN/),
    expect.stringContaining('(unknown)'),
  ]);
  const rule = { subject_type: 'client', subject: 'nobody', pattern: 'no_such_tool', effect: 'deny' };
  await asOwner(home, 'policy.rule.add', { ...rule, reason: `${evil}\u0085` });
  const rules = await runSluice(home, ['policy', 'rules']);
  expect(rules.stdout).toContain('\\u001b]0;owned\\u0007');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(rules.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(rules.stdout.split('\n').filter((line) => line.includes('owned'))).toHaveLength(1);
  const raw = await runSluice(home, ['tool', 'call', evil]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(raw.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

it('[HOST-08] a header that carries a name as base64 is compared with the name, not with its form', async () => {
  for (const name of ['ѕearch', 'search\n', ' search']) {
    const { body, headers } = modernRequest('tools/call', { name, arguments: { query: 'x' } });
    expect(headers['mcp-name']).toBe(headerText(name));
    const answer = await rawRequest(server.port, {
      headers: [['Authorization', `Bearer ${token}`], ...Object.entries(headers)],
      body: JSON.stringify(body),
    });
    expect(refusalOf(answer.message ?? {}).code).toBe('unknown_tool');
  }
});

it('[HOST-08] the server is as alive afterwards as before', async () => {
  expect(structuredOf(await call('search', { query: 'hello' })).results).toHaveLength(1);
  expect(server.output()).not.toMatch(/call_failed|request_failed/);
});
