/** What a hostile page in the owner's browser can make it send: foreign names, foreign origins, simple requests. */
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditHead, auditRecords } from '../support/audit.ts';
import { modernRequest } from '../support/mcp-clients.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { type RunningServer, startServer } from '../support/process.ts';
import { openSocket, type RawRequest, rawRequest, sendBytes } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { legacyHttp } from '../support/wires.ts';

const home = temporaryFolder();
let server: RunningServer;
let token: string;

beforeAll(async () => {
  server = await startServer(home);
  token = await addClient(home, 'browser');
});
afterAll(() => server?.stop());

const CREATE = { name: 'create_page', arguments: { title: 'Forged' } };

/** A call that would leave a page behind, with a valid token: only what is under test stands in its way. */
function send(further: readonly (readonly [string, string])[], rest: RawRequest = {}) {
  const { body, headers } = modernRequest('tools/call', CREATE);
  const replaced = new Set(further.map(([name]) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name));
  return rawRequest(server.port, {
    body: JSON.stringify(body),
    ...rest,
    headers: [['Authorization', `Bearer ${token}`], ...kept, ...further],
  });
}

const pages = async (): Promise<string> => JSON.stringify(await asOwner(home, 'get_page_tree'));

describe('names that are not ours', () => {
  const HOSTS = [
    'evil.example',
    'evil.example:7862',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost.',
    'localhost@evil.example',
    'evil.example@127.0.0.1',
    '127.0.0.1/evil.example',
    '127.0.0.1#evil.example',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[0:0:0:0:0:0:0:1]',
    '[::1',
    '127.0.0.1:notaport',
    '127.0.0.1:80:80',
    'ⅼocalhost',
    '',
  ];

  it.each(HOSTS)('[HOST-14] Host %j is refused', async (host) => {
    const answer = await send([['Host', host]]);
    expect([400, 403]).toContain(answer.status);
  });

  const ORIGINS = [
    'null',
    'http://evil.example',
    'https://evil.example:7862',
    'http://localhost.evil.example',
    'http://evil.example#http://localhost',
    'http://localhost@evil.example',
    'http://evil.example@localhost',
    'http://localhost\\@evil.example',
    'http://localhost, http://evil.example',
    'http://2130706433',
    'file://localhost',
    'chrome-extension://localhost',
    'data://localhost',
    'localhost',
    '//localhost',
    'http://localhost/path',
    '',
  ];

  it.each(ORIGINS)('[HOST-14] Origin %j is refused', async (origin) => {
    expect((await send([['Origin', origin]])).status).toBe(403);
  });

  it('[HOST-14] Host and Origin sent twice are refused, the good one first or last', async () => {
    const good = `127.0.0.1:${server.port}`;
    for (const values of [
      [good, 'evil.example'],
      ['evil.example', good],
      [good, good],
    ]) {
      const host = await send(values.map((value) => ['Host', value] as const));
      expect([400, 403]).toContain(host.status);
      const origin = await send(values.map((value) => ['Origin', `http://${value}`] as const));
      expect(origin.status).toBe(400);
    }
  });

  it('[HOST-14] a request without Host is refused, also of HTTP 1.0', async () => {
    const text = 'POST /mcp HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}';
    expect([400, 403]).toContain((await sendBytes(server.port, Buffer.from(text))).status);
  });

  it('[HOST-14] all of that leaves one record of its kind and a count, and no page', async () => {
    const records = await auditRecords(home, { gate: 'host' });
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ kind: 'refused_source', error_code: 'denied', source: '127.0.0.1' });
    expect(await pages()).not.toContain('Forged');
  });

  it('[HOST-14] the names of this machine are taken', async () => {
    const { body, headers } = modernRequest('tools/list', {});
    for (const host of ['localhost', `localhost:${server.port}`, 'LOCALHOST', '127.0.0.1', '[::1]:99']) {
      for (const origin of [undefined, 'http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:8080']) {
        const answer = await rawRequest(server.port, {
          headers: [
            ['Authorization', `Bearer ${token}`],
            ['Host', host],
            ...(origin === undefined ? [] : [['Origin', origin] as const]),
            ...Object.entries(headers),
          ],
          body: JSON.stringify(body),
        });
        expect(answer.status, `${host} ${origin}`).toBe(200);
      }
    }
  });
});

describe('requests a page can send without asking', () => {
  it.each([
    'text/plain',
    'text/plain; x=application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
    'application/json-seq',
    'application/jsonp',
    '',
  ])('[HOST-15] a body of type %j is not read', async (type) => {
    expect((await send([['Content-Type', type]])).status).toBe(415);
  });

  it('[HOST-15] a body without a type is not read', async () => {
    const { body } = modernRequest('tools/call', CREATE);
    const headers = [['Authorization', `Bearer ${token}`]] as const;
    expect((await rawRequest(server.port, { headers, body: JSON.stringify(body) })).status).toBe(415);
  });

  it('[HOST-15] no other method does anything, with or without a session', async () => {
    const session = await legacyHttp(server.port, token);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: CREATE });
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'DELETE', 'PROPFIND']) {
      const bare = await send([], { method });
      expect([404, 405], method).toContain(bare.status);
      if (method === 'GET' || method === 'DELETE') continue;
      const within = await rawRequest(server.port, { method, headers: session.headers, body });
      expect(within.status, method).toBe(405);
    }
    const query = encodeURIComponent(body);
    const stream = await rawRequest(server.port, {
      method: 'GET',
      target: `/mcp?message=${query}`,
      headers: [...session.headers.filter(([name]) => name !== 'Accept'), ['Accept', 'application/json']],
    });
    expect(stream.status).toBe(406);
  });

  it('[HOST-15] a preflight gets no leave from us', async () => {
    const answer = await rawRequest(server.port, {
      method: 'OPTIONS',
      headers: [
        ['Origin', 'http://localhost:3000'],
        ['Access-Control-Request-Method', 'POST'],
        ['Access-Control-Request-Headers', 'authorization,content-type'],
      ],
    });
    expect(answer.status).toBe(401);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('[HOST-15] a token counts in no place but its header', async () => {
    const { body, headers } = modernRequest('tools/call', CREATE);
    const rest = Object.entries(headers);
    for (const further of [
      [['Cookie', `token=${token}`]],
      [['X-Api-Key', token]],
      [['Authorization', token]],
      [['Authorization', `Basic ${Buffer.from(`x:${token}`).toString('base64')}`]],
      [['Authorization', `Bearer  ${token}`]],
      [['Authorization', `Bearer ${token} x`]],
      [['Proxy-Authorization', `Bearer ${token}`]],
    ] as const) {
      const answer = await rawRequest(server.port, {
        target: `/mcp?access_token=${token}&token=${token}`,
        headers: [...rest, ...further],
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(401);
      expect(answer.body).not.toContain(token);
    }
  });

  it('[HOST-15] another writing of the address leads nowhere', async () => {
    for (const target of [
      `http://127.0.0.1:${server.port}/mcp`,
      'http://evil.example/mcp',
      '//evil.example/mcp',
      '/mcp/',
      '/MCP',
      '/mcp/../mcp',
      '/%6dcp',
      '/mcp;x',
      '/health/../mcp',
      '*',
    ]) {
      const answer = await send([], { target });
      expect([400, 404], target).toContain(answer.status);
    }
  });

  it('[HOST-15] every refusal of somebody known is recorded as his', async () => {
    const before = await auditHead(home);
    await send([['Content-Type', 'text/plain']]);
    await send([], { method: 'PUT' });
    await send([], { method: 'GET' });
    const records = await auditRecords(home, { subject_name: 'browser' }, before);
    expect(records.map((record) => [record.kind, record.tool_name, record.error_code])).toEqual([
      ['refused_request', '(request)', 'invalid_request'],
      ['refused_request', '(PUT)', 'invalid_request'],
      ['refused_request', '(GET)', 'invalid_request'],
    ]);
    expect(await pages()).not.toContain('Forged');
  });
});

it('[HOST-14] listens on this machine alone', async () => {
  const others = Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one && !one.internal && one.family === 'IPv4' ? [one.address] : []));
  for (const address of [...others, '::1']) {
    await expect(openSocket(server.port, address), address).rejects.toThrow();
  }
});
