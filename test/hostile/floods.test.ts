/** More of everything than anybody needs: refusals, sockets, bytes, depth, calls. A good client must not notice. */

import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { auditHead, auditRecords } from '../support/audit.ts';
import { startFixtureServer } from '../support/fixture-server.ts';
import { modernRequest } from '../support/mcp-clients.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { type RunningServer, startServer } from '../support/process.ts';
import { times } from '../support/random.ts';
import { openSocket, rawRequest, readAnswer, renderRequest, sendBytes } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/timing.ts';
import { legacyHttp, modernHttp, refusalOf, structuredOf } from '../support/wires.ts';

const LIMIT = 8 * 1024 * 1024;
const home = temporaryFolder();
let server: RunningServer;
let token = '';

/** Senders that never come to an end, at a server of their own; they are looked at last. */
let slowServer: RunningServer;
let slowSenders: Promise<readonly number[]>;

beforeAll(async () => {
  server = await startServer(home);
  token = await addClient(home, 'good');
  const slowHome = temporaryFolder();
  slowServer = await startServer(slowHome);
  const known = [['Authorization', `Bearer ${await addClient(slowHome, 'slow')}`]] as const;
  const body = renderRequest(slowServer.port, {
    headers: [...known, ['Content-Type', 'application/json'], ['Content-Length', '100000']],
  });
  slowSenders = Promise.all([
    dripUntilCut(''),
    dripUntilCut('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '),
    dripUntilCut(body.toString()),
  ]);
});
afterAll(async () => {
  await server?.stop();
  await slowServer?.stop();
});

/** Sends a beginning, then a byte a second; answers after how many milliseconds the server had enough. */
async function dripUntilCut(first: string): Promise<number> {
  const socket = await openSocket(slowServer.port);
  socket.on('error', () => undefined);
  socket.write(first);
  const timer = first === '' ? undefined : setInterval(() => socket.write('x'), 1_000);
  const begun = performance.now();
  await readAnswer(socket);
  clearInterval(timer);
  return performance.now() - begun;
}

const held: Socket[] = [];
afterEach(() => {
  for (const socket of held.splice(0)) socket.destroy();
});

async function expectServed(): Promise<void> {
  const answer = await modernHttp(server.port, token).ask('tools/call', {
    name: 'get_workspace',
    arguments: {},
  });
  expect(structuredOf(answer).name).toBe('default');
}

/** Resident memory of the server in bytes. */
const memory = (): number => {
  const [, pages = '0'] = readFileSync(`/proc/${server.process.pid}/statm`, 'utf8').split(' ');
  return Number(pages) * 4096;
};

describe('refusals', () => {
  it('[HOST-33] of one source are recorded once and then counted, and everybody else is served', async () => {
    const count = times(500, 20_000);
    const before = await auditHead(home);
    for (let i = 0; i < count; i += 50) {
      const wave = Array.from({ length: 50 }, () =>
        rawRequest(server.port, { headers: [['Authorization', 'Bearer wrong']], body: '{}' }),
      );
      expect(new Set((await Promise.all(wave)).map(({ status }) => status))).toEqual(new Set([401]));
      await expectServed();
    }
    const folded = (await auditRecords(home, { kind: 'refused_source' }, before)).filter(
      (record) => record.gate === 'credential',
    );
    expect(folded.length).toBeLessThanOrEqual(1 + Math.ceil(count / 1_000));
    expect(folded[0]).toMatchObject({ source: '127.0.0.1', error_code: 'unauthenticated', decision: 'deny' });
    await server.stop();
    server = await startServer(home, { port: server.port });
    const all = await auditRecords(home, { gate: 'credential' });
    expect(all.reduce((sum, record) => sum + Number(record.repeat_count), 0)).toBe(count);
  });

  it('[HOST-34] of somebody known beyond his rate are counted as well', async () => {
    writeFileSync(
      join(home, 'config.json'),
      JSON.stringify({ 'limits.calls_per_second': 1, 'limits.call_burst': 20 }),
    );
    await server.stop();
    server = await startServer(home, { port: server.port });
    const noisy = modernHttp(server.port, await addClient(home, 'noisy'));
    const before = await auditHead(home);
    const codes = new Map<unknown, number>();
    for (let i = 0; i < 60; i += 1) {
      const name = i % 2 ? 'nowhere' : 'search';
      const answer = await noisy.ask('tools/call', { name, arguments: { query: 'x' } });
      const { code } = refusalOf(answer);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect(codes.get('unknown_tool')).toBe(30);
    expect(codes.get('rate_limited')).toBeGreaterThanOrEqual(15);
    const records = await auditRecords(home, { subject_name: 'noisy' }, before);
    expect(records.length).toBeLessThan(30);
    writeFileSync(join(home, 'config.json'), '{}');
    await server.stop();
    server = await startServer(home, { port: server.port });
    const all = await auditRecords(home, { subject_name: 'noisy' }, before);
    expect(all.reduce((sum, record) => sum + Number(record.repeat_count), 0)).toBe(60);
  });
});

describe('sockets', () => {
  it('[HOST-35] that are opened and held without a word keep nobody out', async () => {
    const count = times(100, 1_000);
    for (let i = 0; i < count; i += 1) held.push(await openSocket(server.port));
    await expectServed();
    for (const socket of held) socket.on('error', () => undefined);
    for (const socket of held.slice(0, 50)) socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    await expectServed();
  });

  it('[HOST-36] that are half closed are let go, with their answer if it was quicker', async () => {
    const { body, headers } = modernRequest('tools/call', { name: 'get_workspace', arguments: {} });
    const socket = await openSocket(server.port);
    socket.end(
      renderRequest(server.port, {
        headers: [['Authorization', `Bearer ${token}`], ...Object.entries(headers)],
        body: JSON.stringify(body),
      }),
    );
    // Closing is how a client of this era cancels, and from here a half cannot be told from the whole.
    expect([0, 200]).toContain((await readAnswer(socket)).status);
  });

  it('[HOST-36] that speak anything but HTTP are answered with 400 or not at all', async () => {
    for (const bytes of [
      Buffer.from('\0\0\0\0'),
      Buffer.from('\x16\x03\x01\x02\x00\x01\x00', 'latin1'),
      Buffer.from('{"jsonrpc":"2.0"}\r\n\r\n'),
      Buffer.from('GET / HTTP/9.9\r\n\r\n'),
      Buffer.from(`GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
      Buffer.from(`GET /mcp HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`),
      Buffer.from(`GET /mcp HTTP/1.1\r\n${'a: b\r\n'.repeat(5_000)}\r\n`),
    ]) {
      expect([0, 400, 408, 414, 431]).toContain((await sendBytes(server.port, bytes)).status);
    }
    await expectServed();
  });

  it('[HOST-36] with garbage behind a good request get one answer and no second', async () => {
    const { body, headers } = modernRequest('tools/call', { name: 'get_workspace', arguments: {} });
    const good = renderRequest(server.port, {
      headers: [
        ['Authorization', `Bearer ${token}`],
        ...Object.entries(headers),
        ['Connection', 'keep-alive'],
      ],
      body: JSON.stringify(body),
    });
    const answer = await sendBytes(server.port, Buffer.concat([good, Buffer.from('garbage\r\n\r\n')]));
    expect([200, 400]).toContain(answer.status);
    await expectServed();
  });
});

describe('bytes', () => {
  const page = (size: number): string => {
    const { body } = modernRequest('tools/call', { name: 'search', arguments: { query: 'x', padding: '' } });
    const text = JSON.stringify(body);
    return text.replace('"padding":""', `"padding":"${'y'.repeat(size - text.length)}"`);
  };
  const headers = () => {
    const { headers: given } = modernRequest('tools/call', { name: 'search', arguments: {} });
    return [['Authorization', `Bearer ${token}`], ...Object.entries(given)] as const;
  };

  it('[HOST-37] up to the limit are read, one more is not', async () => {
    const exact = page(LIMIT);
    expect(Buffer.byteLength(exact)).toBe(LIMIT);
    const taken = await rawRequest(server.port, { headers: headers(), body: exact });
    // Read whole; the tool itself takes less.
    expect([taken.status, refusalOf(taken.message ?? {}).code]).toEqual([200, 'payload_too_large']);
    const refused = await rawRequest(server.port, { headers: headers(), body: page(LIMIT + 1) });
    expect([refused.status, refused.headers.connection]).toEqual([413, 'close']);
  });

  it('[HOST-37] that are only announced are refused before they come', async () => {
    const socket = await openSocket(server.port);
    socket.write(
      renderRequest(server.port, { headers: [...headers(), ['Content-Length', String(LIMIT + 1)]] }),
    );
    expect((await readAnswer(socket)).status).toBe(413);
    const endless = await openSocket(server.port);
    endless.write(
      renderRequest(server.port, { headers: [...headers(), ['Content-Length', '999999999999']] }),
    );
    expect((await readAnswer(endless)).status).toBe(413);
  });

  it('[HOST-37] that come in pieces without an end are cut at the limit, and memory stays', async () => {
    const before = memory();
    for (let i = 0; i < times(3, 20); i += 1) {
      const socket = await openSocket(server.port);
      socket.on('error', () => undefined);
      socket.write(renderRequest(server.port, { headers: [...headers(), ['Transfer-Encoding', 'chunked']] }));
      const chunk = Buffer.concat([
        Buffer.from('100000\r\n'),
        Buffer.alloc(0x100000, 'z'),
        Buffer.from('\r\n'),
      ]);
      const timer = setInterval(() => socket.writable && socket.write(chunk), 1);
      const answer = await readAnswer(socket);
      clearInterval(timer);
      expect([0, 413]).toContain(answer.status);
    }
    expect(memory() - before).toBeLessThan(300 * 1024 * 1024);
    await expectServed();
  });

  it('[HOST-37] that are packed are not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(times(50, 500) * 1024 * 1024));
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'x-unknown']) {
      const given = [...headers(), ['Content-Encoding', encoding]] as const;
      const answer = await rawRequest(server.port, { headers: given, body: bomb });
      expect(answer.status, encoding).toBe(415);
    }
    expect((await rawRequest(server.port, { headers: headers(), body: bomb })).status).toBe(400);
  });

  it('[HOST-38] that nest are refused beyond a depth, quickly', async () => {
    const shells: readonly (readonly [string, string, number])[] = [
      ['[', ']', 100_000],
      ['{"a":', '}', 50_000],
      ['[', '', 1_000_000],
      ['{"a":[', '', 500_000],
      ['"', '', 1],
    ];
    for (const [open, close, depth] of shells) {
      const text = `${open.repeat(depth)}${close === '' ? '' : `1${close.repeat(depth)}`}`;
      const answer = await rawRequest(server.port, { headers: headers(), body: text });
      expect([answer.status, answer.message?.error?.code]).toEqual([400, -32700]);
    }
    const { body } = modernRequest('tools/call', { name: 'search', arguments: { query: 'x', deep: 'DEEP' } });
    const within = JSON.stringify(body).replace('"DEEP"', `${'['.repeat(80)}${']'.repeat(80)}`);
    const answer = await rawRequest(server.port, { headers: headers(), body: within });
    expect(refusalOf(answer.message ?? {}).code).toBe('invalid_request');
    await expectServed();
  });

  it('[HOST-38] of a large batch do not multiply', async () => {
    const session = await legacyHttp(server.port, token);
    const batch = Array.from({ length: 20_000 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'get_workspace', arguments: {} },
    }));
    const answer = await rawRequest(server.port, { headers: session.headers, body: JSON.stringify(batch) });
    expect(answer.status).toBe(400);
    await expectServed();
  });
});

/** On a slow machine the allowance grows while it is used up. */
async function askUntilRefused(
  ask: () => Promise<Parameters<typeof refusalOf>[0]>,
): Promise<Record<string, unknown>> {
  for (let i = 0; i < 200; i += 1) {
    const refusal = refusalOf(await ask());
    if (refusal.code !== undefined) return refusal;
  }
  return {};
}

describe('calls', () => {
  it('[HOST-39] beyond rate and number are refused with a time to come back, and others are not held up', async () => {
    const busy = temporaryFolder();
    const fixture = await startFixtureServer(busy, {
      'limits.concurrent_per_principal': 3,
      'limits.concurrent_in_all': 5,
      'limits.calls_per_second': 1,
      'limits.call_burst': 20,
    });
    try {
      const greedy = modernHttp(fixture.port, await addClient(busy, 'greedy'));
      const slow = Array.from({ length: 3 }, () =>
        greedy.ask('tools/call', { name: 'fixture.wait', arguments: { ms: 1_500 } }),
      );
      await until(() => fixture.seen.length === 3);
      const fourth = refusalOf(await greedy.ask('tools/call', { name: 'get_workspace', arguments: {} }));
      expect(fourth).toMatchObject({ code: 'rate_limited', retry: 'later' });
      expect(Number(fourth.retry_after_ms)).toBeGreaterThan(0);
      const other = modernHttp(fixture.port, await addClient(busy, 'other'));
      const served = await other.ask('tools/call', { name: 'get_workspace', arguments: {} });
      expect(structuredOf(served).name).toBe('default');
      for (const answer of await Promise.all(slow)) expect(structuredOf(answer)).toEqual({ waited: 1_500 });
      const call = { name: 'get_workspace', arguments: {} };
      const called = await askUntilRefused(() => greedy.ask('tools/call', call));
      expect(called).toMatchObject({ code: 'rate_limited' });
      expect(Number(called.retry_after_ms)).toBeGreaterThan(0);
      expect(await askUntilRefused(() => greedy.ask('tools/list'))).toMatchObject({ code: 'rate_limited' });
      expect(await asOwner(busy, 'get_mcp_status')).toMatchObject({ running: true });
    } finally {
      await fixture.close();
    }
  });

  it('[HOST-39] in great number leave memory where it was', async () => {
    const wire = modernHttp(server.port, token);
    const work = async (rounds: number): Promise<void> => {
      for (let i = 0; i < rounds; i += 1) {
        await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            wire.ask('tools/call', {
              name: n % 4 ? 'search' : `nowhere_${i}_${n}`,
              arguments: { query: `q${i}${n}` },
            }),
          ),
        );
      }
    };
    await work(times(10, 100));
    const before = memory();
    await work(times(15, 1_000));
    expect(memory() - before).toBeLessThan(150 * 1024 * 1024);
  }, 300_000);
});

it('[HOST-36] a sender that takes for ever over nothing, its headers or its body is cut', async () => {
  const [silent, headers, body] = await slowSenders;
  expect(silent).toBeLessThan(25_000);
  expect(headers).toBeLessThan(25_000);
  expect(body).toBeLessThan(50_000);
}, 90_000);
