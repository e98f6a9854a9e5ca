/** The protocol of both eras on the raw wire: negotiation, discovery, lists, cache hints, error codes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../support/fixture-server.ts';
import { connectHttp, connectStdio, modernRequest } from '../support/mcp-clients.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  initializeParams,
  type LegacySession,
  legacyHttp,
  legacyStdio,
  modernHttp,
  modernStdio,
  namesIn,
  structuredOf,
  type Wire,
} from '../support/wires.ts';

const PAGE = 7;
const home = temporaryFolder();
let server: FixtureServer;
let token = '';
let modern: Wire;
let legacy: LegacySession;

beforeAll(async () => {
  writeFileSync(join(home, 'config.json'), JSON.stringify({ 'limits.list_page': PAGE }));
  server = await startFixtureServer(home);
  token = await addClient(home, 'reader');
  await asOwner(home, 'create_page', { title: 'Alpha', content: '# Alpha\n' });
  modern = modernHttp(server.port, token);
  legacy = await legacyHttp(server.port, token);
});
afterAll(() => server?.close());

const plain = (version?: string) =>
  [
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ...(version === undefined ? [] : [['MCP-Protocol-Version', version] as const]),
  ] as const;

describe('negotiation', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    '[MCP-03] %s is spoken in a session',
    async (version) => {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: initializeParams(version),
      });
      const opened = await rawRequest(server.port, { headers: plain(), body });
      expect(opened.message?.result).toMatchObject({
        protocolVersion: version,
        serverInfo: { name: 'sluice', title: 'Sluice', version: expect.any(String) },
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions: expect.stringContaining('search'),
      });
      const session = opened.headers['mcp-session-id'] ?? '';
      const listed = await rawRequest(server.port, {
        headers: [...plain(version), ['Mcp-Session-Id', session]],
        body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }),
      });
      expect(namesIn(listed.message ?? {})).toHaveLength(PAGE);
      const ping = await rawRequest(server.port, {
        headers: [...plain(version), ['Mcp-Session-Id', session]],
        body: JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'ping' }),
      });
      expect(ping.message?.result).toEqual({});
    },
  );

  it.each(['2026-07-28', '2099-01-01', 'nonsense'])(
    '[MCP-03] initialize with %s is answered with the newest session revision',
    async (version) => {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: initializeParams(version),
      });
      const opened = await rawRequest(server.port, { headers: plain(), body });
      expect(opened.message?.result?.protocolVersion).toBe('2025-11-25');
    },
  );

  it('[MCP-03] a header that names an unknown revision in a session is refused', async () => {
    const headers = legacy.headers.map(([name, value]) =>
      name === 'MCP-Protocol-Version' ? ([name, '1999-01-01'] as const) : ([name, value] as const),
    );
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    expect((await rawRequest(server.port, { headers, body })).status).toBe(400);
  });

  it('[MCP-04] server/discover says what is spoken and what there is, without a session', async () => {
    const { result } = await modern.ask('server/discover');
    expect(result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: expect.stringContaining('Everything you do is recorded'),
      resultType: 'complete',
      cacheScope: 'private',
    });
    expect(result?._meta).toMatchObject({ 'io.modelcontextprotocol/serverInfo': { name: 'sluice' } });
    const answer = await rawRequest(server.port, {
      headers: [
        ['Authorization', `Bearer ${token}`],
        ...Object.entries(modernRequest('server/discover', {}).headers),
      ],
      body: JSON.stringify(modernRequest('server/discover', {}).body),
    });
    expect(answer.headers['mcp-session-id']).toBeUndefined();
  });

  it('[MCP-04] a revision that is still to come is refused with the ones there are', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const { body, headers } = modernRequest('tools/list', { _meta: meta });
    const answer = await rawRequest(server.port, {
      headers: [
        ['Authorization', `Bearer ${token}`],
        ...Object.entries({ ...headers, 'mcp-protocol-version': '2099-01-01' }),
      ],
      body: JSON.stringify(body),
    });
    expect([answer.status, answer.message?.error?.code]).toEqual([400, -32022]);
    expect(answer.message?.error?.data).toMatchObject({ supported: ['2026-07-28'], requested: '2099-01-01' });
  });

  it('[MCP-04] real clients of both eras work over HTTP and stdio', async () => {
    const clients = [
      await connectHttp(server.url ?? '', token, 'modern'),
      await connectHttp(server.url ?? '', token, 'legacy'),
      await connectStdio(home, 'reader', 'modern'),
      await connectStdio(home, 'reader', 'legacy'),
    ];
    for (const client of clients) {
      const answer = await client.callTool({ name: 'read_page', arguments: { page: 'alpha' } });
      expect(answer.structuredContent).toMatchObject({ title: 'Alpha', content: '# Alpha\n' });
      expect(client.getInstructions()).toContain('get_my_scopes');
      const { contents } = await client.readResource({ uri: 'sluice://workspace/page/alpha' });
      expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: '# Alpha\n' }]);
      expect((await client.getPrompt({ name: 'weekly_review' })).messages).toHaveLength(1);
      await client.close();
    }
  });
});

describe('lists', () => {
  const wires: readonly [string, () => Wire][] = [
    ['modern', () => modern],
    ['legacy', () => legacy],
  ];

  it.each(wires)(
    '[MCP-05] of a %s client come in pages, whole, sorted and the same each time',
    async (_era, wire) => {
      const walk = async (): Promise<string[]> => {
        const names: string[] = [];
        let cursor: string | undefined;
        do {
          const { result } = await wire().ask('tools/list', cursor === undefined ? {} : { cursor });
          const tools = (result?.tools ?? []) as { name: string }[];
          expect(tools.length).toBeLessThanOrEqual(PAGE);
          names.push(...tools.map(({ name }) => name));
          cursor = result?.nextCursor as string | undefined;
        } while (cursor !== undefined);
        return names;
      };
      const names = await walk();
      expect(names.length).toBeGreaterThan(2 * PAGE);
      expect(names).toEqual([...new Set(names)].sort());
      expect(await walk()).toEqual(names);
      const told = structuredOf(await wire().ask('tools/call', { name: 'list_tools', arguments: {} }));
      expect((told.tools as { name: string }[]).map(({ name }) => name)).toEqual(names);
    },
  );

  it.each(wires)('[MCP-05] take no cursor but their own (%s)', async (_era, wire) => {
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      const { error } = await wire().ask(method, { cursor: 'bm90LW91cnM' });
      expect([error?.code, error?.data?.code], method).toEqual([-32602, 'invalid_request']);
    }
  });

  it('[MCP-05] say of every tool what it needs to be called', async () => {
    const { result } = await modern.ask('tools/list');
    for (const tool of (result?.tools ?? []) as Record<string, unknown>[]) {
      expect(tool).toMatchObject({
        name: expect.stringMatching(/^[a-z0-9_.]{1,64}$/),
        title: expect.any(String),
        description: expect.any(String),
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: expect.any(Boolean), openWorldHint: expect.any(Boolean) },
      });
    }
    expect(namesIn(await modern.ask('prompts/list'), 'prompts')).toEqual([
      'find_contradictions',
      'summarize_page',
      'weekly_review',
    ]);
    expect(namesIn(await modern.ask('resources/list'), 'resources')).toEqual([
      'workspace_proposals',
      'workspace_tree',
    ]);
    const templates = await modern.ask('resources/templates/list');
    expect(namesIn(templates, 'resourceTemplates')).toHaveLength(4);
    expect(JSON.stringify(templates.result)).toContain('sluice://workspace/page/{slug}');
  });

  it('[MCP-05] have the names in the form the token asks for, and both forms can be called', async () => {
    const dotless = modernHttp(server.port, await addClient(home, 'dotless', { names: 'underscore' }));
    const names: string[] = [];
    for (let cursor: unknown; ; ) {
      const page = await dotless.ask('tools/list', cursor === undefined ? {} : { cursor });
      names.push(...namesIn(page));
      cursor = page.result?.nextCursor;
      if (cursor === undefined) break;
    }
    expect(names).toContain('fixture_wait');
    expect(names.join()).not.toContain('.');
    for (const name of ['fixture_wait', 'fixture.wait']) {
      const answer = await dotless.ask('tools/call', { name, arguments: { ms: 1 } });
      expect(structuredOf(answer)).toEqual({ waited: 1 });
    }
  });

  it('[MCP-06] say for how long they may be kept, and that they are nobody else’s', async () => {
    for (const method of [
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
      'server/discover',
    ]) {
      const { result } = await modern.ask(method);
      expect(result, method).toMatchObject({ ttlMs: expect.any(Number), cacheScope: 'private' });
    }
    const { result } = await modern.ask('resources/read', { uri: 'sluice://workspace/tree' });
    expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });
});

describe('errors', () => {
  type Row = readonly [string, string, Record<string, unknown>, number | 'result', number | 'result', string];
  const rows: readonly Row[] = [
    ['an unknown tool', 'tools/call', { name: 'nowhere', arguments: {} }, -32602, -32602, 'unknown_tool'],
    [
      'arguments that are no object',
      'tools/call',
      { name: 'search', arguments: 5 },
      -32602,
      -32602,
      'invalid_request',
    ],
    [
      'input that fails the schema',
      'tools/call',
      { name: 'search', arguments: {} },
      'result',
      'result',
      'invalid_input',
    ],
    [
      'something that is not there',
      'tools/call',
      { name: 'read_page', arguments: { page: 'no' } },
      'result',
      'result',
      'not_found',
    ],
    ['a fault', 'tools/call', { name: 'fixture.fail', arguments: {} }, -32603, -32603, 'internal'],
    [
      'an answer too large',
      'tools/call',
      { name: 'fixture.large', arguments: { characters: 2e6 } },
      'result',
      'result',
      'output_too_large',
    ],
    [
      'a call too large',
      'tools/call',
      { name: 'search', arguments: { query: 'x'.repeat(300_000) } },
      -32600,
      -32600,
      'payload_too_large',
    ],
    ['an unknown prompt', 'prompts/get', { name: 'nowhere' }, -32602, -32602, 'unknown_tool'],
  ];

  it.each(rows)(
    '[MCP-07] %s has its code in both eras',
    async (_title, method, params, inModern, inLegacy, code) => {
      for (const [wire, wanted] of [
        [modern, inModern],
        [legacy, inLegacy],
      ] as const) {
        const { result, error } = await wire.ask(method, params);
        if (wanted === 'result') {
          expect(result).toMatchObject({ isError: true, structuredContent: { code } });
          expect(JSON.stringify(result?.content)).toContain(code);
        } else expect(error).toMatchObject({ code: wanted, data: { code } });
      }
    },
  );

  it.each(['sluice://workspace/page/nowhere', 'sluice://nothing/at/all', 'file:///etc/passwd'])(
    '[MCP-08] %s is a resource that is not there: −32602 in 2026, −32002 before, on HTTP and stdio',
    async (uri) => {
      const stdio = [modernStdio(home, 'reader'), await legacyStdio(home, 'reader')] as const;
      for (const [wire, code] of [
        [modern, -32602],
        [legacy, -32002],
        [stdio[0], -32602],
        [stdio[1], -32002],
      ] as const) {
        expect((await wire.ask('resources/read', { uri })).error).toMatchObject({ code, data: { uri } });
      }
      for (const wire of stdio) await wire.close();
    },
  );

  it('[MCP-07] an unknown method is −32601, with status 404 in 2026', async () => {
    for (const method of ['tools/destroy', 'tasks/get', 'sampling/createMessage']) {
      expect((await legacy.ask(method)).error?.code, method).toBe(-32601);
      const { body, headers } = modernRequest(method, {});
      const answer = await rawRequest(server.port, {
        headers: [['Authorization', `Bearer ${token}`], ...Object.entries(headers)],
        body: JSON.stringify(body),
      });
      expect([answer.status, answer.message?.error?.code], method).toEqual([404, -32601]);
    }
  });

  it('[MCP-07] without a workspace the answer is −32603 with our code', async () => {
    await asOwner(home, 'workspace.close', { workspace: 'default' });
    for (const wire of [modern, legacy]) {
      const tool = await wire.ask('tools/call', { name: 'search', arguments: { query: 'x' } });
      const resource = await wire.ask('resources/read', { uri: 'sluice://workspace/tree' });
      const prompt = await wire.ask('prompts/get', { name: 'weekly_review' });
      for (const { error } of [tool, resource, prompt])
        expect(error).toMatchObject({ code: -32603, data: { code: 'no_workspace' } });
    }
    await asOwner(home, 'workspace.open', { workspace: 'default' });
  });

  it.each([
    [
      400,
      { headers: [['MCP-Protocol-Version', '2025-11-25']], body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
    ],
    [403, { headers: [['Host', 'evil.example']] }],
    [404, { target: '/elsewhere' }],
    [404, { headers: [['Mcp-Session-Id', 'gone']], body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }],
    [405, { method: 'PUT' }],
    [415, { headers: [['Content-Encoding', 'gzip']] }],
  ] as const)(
    '[MCP-07] what HTTP refuses before there is a call is %i, −32000 and no data',
    async (status, given) => {
      const headers = [...plain(), ...('headers' in given ? given.headers : [])];
      const answer = await rawRequest(server.port, { ...given, headers });
      expect(answer.status).toBe(status);
      expect(answer.message?.error).toEqual({ code: -32000, message: expect.any(String) });
    },
  );

  it('[MCP-07] without a token the answer is 401 and says nothing', async () => {
    for (const headers of [[], [['Authorization', 'Bearer nonsense']]] as const) {
      const answer = await rawRequest(server.port, { headers, body: '{}' });
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer realm="sluice"']);
      expect(answer.message?.error).toEqual({ code: -32000, message: 'Unauthorized' });
    }
  });
});

it('[MCP-09] /health answers anybody on this machine and tells nothing', async () => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await rawRequest(server.port, { method, target: '/health' });
    expect([answer.status, answer.body]).toEqual([200, method === 'GET' ? '{"status":"ok"}' : '']);
  }
  expect((await rawRequest(server.port, { method: 'POST', target: '/health' })).status).toBe(405);
  const foreign = await rawRequest(server.port, {
    method: 'GET',
    target: '/health',
    headers: [['Host', 'evil.example']],
  });
  expect(foreign.status).toBe(403);
});
