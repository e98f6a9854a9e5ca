/** How the server starts, where it listens, and how it stops. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FIXTURE_PROGRAM } from '../support/fixture-server.ts';
import { connectStdio, modernRequest } from '../support/mcp-clients.ts';
import { addClient, asOwner } from '../support/owner.ts';
import {
  freePort,
  type RunningServer,
  runSluice,
  SLUICE,
  sluiceJson,
  startServer,
} from '../support/process.ts';
import { openSocket, rawRequest, readAnswer, renderRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/timing.ts';
import { legacyHttp, modernHttp, structuredOf } from '../support/wires.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function serve(home: string, options: Parameters<typeof startServer>[1] = {}): Promise<RunningServer> {
  const server = await startServer(home, options);
  opened.push(() => server.stop());
  return server;
}

/** The fixture tools as a process of their own, because signals are sent to it. */
async function startProgram(home: string) {
  const port = await freePort();
  const child = spawn(process.execPath, [FIXTURE_PROGRAM, home, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  opened.push(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return { port, child, ended: once(child, 'exit').then(([code]) => code as number | null) };
}

describe('stopping', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '[MCP-12] %s lets calls under way finish, answers them, and ends with 0',
    async (signal) => {
      const home = temporaryFolder();
      const { port, child, ended } = await startProgram(home);
      const token = await addClient(home, 'last');
      const large = { name: 'fixture.large', arguments: { characters: 900_000, ms: 1_200 } };
      const session = await legacyHttp(port, token);
      const stream = rawRequest(port, { method: 'GET', headers: session.headers });
      const stdio = await connectStdio(home, 'last', 'legacy');
      opened.push(() => stdio.close());
      const calls = [
        modernHttp(port, token).ask('tools/call', large).then(structuredOf),
        session.ask('tools/call', large).then(structuredOf),
        stdio.callTool(large).then(({ structuredContent }) => structuredContent as Record<string, unknown>),
      ];
      // Begun means recorded: these calls write their first record before they do anything.
      await until(async () => {
        const { records } = await asOwner<{ records: unknown[] }>(home, 'audit.list', {
          tool_name: large.name,
        });
        return records.length === calls.length;
      });
      child.kill(signal);
      for (const answer of await Promise.all(calls)) expect(String(answer.text)).toHaveLength(900_000);
      expect(await ended).toBe(0);
      await stream;
      expect(existsSync(join(home, 'running.json'))).toBe(false);
      const { records } = await sluiceJson<{ records: { phase: string; status: string }[] }>(
        home,
        'audit',
        'list',
        '--tool',
        large.name,
      );
      expect(
        records.filter(({ phase, status }) => phase === 'finished' && status === 'success'),
      ).toHaveLength(3);
    },
  );

  it('[MCP-12] new connections are refused at once while it stops', async () => {
    const home = temporaryFolder();
    const { port, child, ended } = await startProgram(home);
    const token = await addClient(home, 'last');
    const call = modernHttp(port, token).ask('tools/call', {
      name: 'fixture.wait',
      arguments: { ms: 1_000 },
    });
    await until(async () => {
      const found = await asOwner<{ records: unknown[] }>(home, 'audit.list', { tool_name: 'fixture.wait' });
      return found.records.length === 1;
    });
    child.kill('SIGTERM');
    await until(async () => {
      const socket = await openSocket(port).catch(() => undefined);
      socket?.destroy();
      return socket === undefined;
    });
    expect(structuredOf(await call)).toEqual({ waited: 1_000 });
    expect(await ended).toBe(0);
  });

  it('[MCP-12] a connection that is kept open does not keep it from stopping', async () => {
    const home = temporaryFolder();
    const server = await serve(home);
    const token = await addClient(home, 'idle');
    const socket = await openSocket(server.port);
    const { body, headers } = modernRequest('tools/list', {});
    socket.write(
      renderRequest(server.port, {
        headers: [
          ['Authorization', `Bearer ${token}`],
          ['Connection', 'keep-alive'],
          ...Object.entries(headers),
        ],
        body: JSON.stringify(body),
      }),
    );
    await once(socket, 'data');
    const silent = await openSocket(server.port);
    const begun = performance.now();
    await server.stop();
    expect(performance.now() - begun).toBeLessThan(8_000);
    expect(server.process.exitCode).toBe(0);
    socket.destroy();
    silent.destroy();
  });
});

describe('starting', () => {
  it('[MCP-13] a port in use is an error that says what to do, and nothing is left behind', async () => {
    const home = temporaryFolder();
    const port = await freePort();
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    const ended = await runSluice(home, ['serve', '--port', String(port)]);
    taken.close();
    expect(ended.code).toBe(6);
    expect(ended.stderr).toMatch(new RegExp(`127\\.0\\.0\\.1:${port} is in use; choose another with --port`));
    expect(existsSync(join(home, 'running.json'))).toBe(false);
    expect((await runSluice(home, ['status'])).code).toBe(0);
    await serve(home, { port });
  });

  it('[MCP-13] a second server for the same home is refused, and the first goes on', async () => {
    const home = temporaryFolder();
    const server = await serve(home);
    const second = await runSluice(home, ['serve', '--port', String(await freePort())]);
    expect(second.code).toBe(6);
    expect(second.stderr).toContain(`Sluice already runs for this home, at ${server.url}`);
    expect((await rawRequest(server.port, { method: 'GET', target: '/health' })).status).toBe(200);
  });

  it('[MCP-13] ports are kept within 1024 to 65535, whoever names them', async () => {
    const home = temporaryFolder();
    await serve(home);
    for (const [wanted, got] of [
      [80, 1024],
      [0, 1024],
      [-5, 1024],
      [70_000, 65_535],
    ] as const) {
      expect(await asOwner(home, 'set_mcp_port', { port: wanted })).toEqual({ port: got });
    }
    const low = spawn(SLUICE, ['serve', '--port', '80', '--json', '--home', temporaryFolder()], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    opened.push(() => low.kill('SIGKILL'));
    const [said] = await Promise.race([once(low.stdout, 'data'), once(low.stderr, 'data')]);
    expect(String(said)).toMatch(/:1024\b/);
    for (const text of ['abc', '-1', '1.5', '0x50', '']) {
      const ended = await runSluice(home, ['serve', '--port', text]);
      expect([ended.code, ended.stderr], text).toEqual([2, expect.stringContaining('--port')]);
    }
  });

  it('[MCP-13] the port comes from the option, the environment, config.json or the setting, in this order', async () => {
    const home = temporaryFolder();
    const [set, file, env, option] = [await freePort(), await freePort(), await freePort(), await freePort()];
    await sluiceJson(home, 'tool', 'call', 'set_mcp_port', JSON.stringify({ port: set }));
    const listensAt = async (args: readonly string[], more: Record<string, string> = {}): Promise<string> => {
      const child = spawn(SLUICE, ['serve', '--json', ...args], {
        env: { ...process.env, SLUICE_HOME: home, ...more },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = await once(child.stdout, 'data');
      child.kill('SIGTERM');
      await once(child, 'exit');
      return JSON.parse(String(line)).url;
    };
    expect(await listensAt([])).toContain(`:${set}/`);
    writeFileSync(join(home, 'config.json'), JSON.stringify({ 'server.port': file }));
    expect(await listensAt([])).toContain(`:${file}/`);
    expect(await listensAt([], { SLUICE_PORT: String(env) })).toContain(`:${env}/`);
    expect(await listensAt(['--port', String(option)], { SLUICE_PORT: String(env) })).toContain(
      `:${option}/`,
    );
  });

  it('[MCP-13] says where it runs, on the terminal, in running.json and over the admin socket', async () => {
    const home = temporaryFolder();
    const server = await serve(home);
    const running = JSON.parse(readFileSync(join(home, 'running.json'), 'utf8'));
    expect(running).toMatchObject({ pid: server.process.pid, url: server.url, socket: expect.any(String) });
    expect(await sluiceJson(home, 'status')).toMatchObject({ running: true, url: server.url, enabled: true });
    await server.stop();
    expect(await sluiceJson(home, 'status')).toMatchObject({ running: false, url: null });
  });

  it('[MCP-13] after a kill the next start needs no help', async () => {
    const home = temporaryFolder();
    const server = await serve(home);
    const token = await addClient(home, 'survivor');
    await server.kill('SIGKILL');
    expect(existsSync(join(home, 'running.json'))).toBe(true);
    expect(await sluiceJson(home, 'status')).toMatchObject({ running: false });
    const again = await serve(home, { port: server.port });
    expect((await modernHttp(again.port, token).ask('tools/list')).result).toBeDefined();
  });

  it('[MCP-13] a home whose path is too long for a socket works all the same', async () => {
    const home = join(temporaryFolder(), 'x'.repeat(60), 'y'.repeat(60));
    const server = await serve(home);
    expect(await sluiceJson(home, 'status')).toMatchObject({ running: true, url: server.url });
  });
});

it('[MCP-12] an answer that its reader takes slowly is whole', async () => {
  const home = temporaryFolder();
  const { port } = await startProgram(home);
  const token = await addClient(home, 'slow');
  const { body, headers } = modernRequest('tools/call', {
    name: 'fixture.large',
    arguments: { characters: 900_000 },
  });
  const socket = await openSocket(port);
  socket.write(
    renderRequest(port, {
      headers: [['Authorization', `Bearer ${token}`], ...Object.entries(headers)],
      body: JSON.stringify(body),
    }),
  );
  socket.pause();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const whole = readAnswer(socket);
  socket.resume();
  const answer = await whole;
  expect(String(structuredOf(answer.message ?? {}).text)).toHaveLength(900_000);
});
