/** Gateways in front of one upstream program, each as it is run and called, and what their processes use. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuMicros, residentBytes, startChild } from './child.ts';
import type { Shot } from './load.ts';
import { callShot, newHome, SLUICE, startSluice } from './sluice.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const peer = (name: string): string => here(`../../test/peers/node_modules/.bin/${name}`);
const UPSTREAM = here('./echo-upstream.ts');
const upstream = [process.execPath, UPSTREAM] as const;
const INPUT = { text: 'x'.repeat(64) };

export interface Gateway {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly shot: Shot;
  stop(): Promise<void>;
}

export async function floor(): Promise<Gateway> {
  const child = await startChild(process.execPath, [here('./pass-through.ts'), 'stdio', ...upstream]);
  const shot = callShot('echo', INPUT, 'bench');
  return { name: 'pass-through (floor)', pid: child.pid, port: Number(child.line), shot, stop: child.stop };
}

export async function sluice(): Promise<Gateway> {
  const { home, remove } = newHome();
  const server = await startSluice(home);
  const run = async (...args: string[]): Promise<void> => {
    const env = { ...process.env, SLUICE_HOME: home };
    const child = spawn(SLUICE, ['provider', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`sluice provider ${args.join(' ')} ended with ${code}`);
  };
  await run('add', 'up', '--stdio', '--', ...upstream);
  await run('review', 'up', '--admit-all', '--reason', 'a benchmark');
  const stop = async (): Promise<void> => {
    await server.stop();
    remove();
  };
  return {
    name: 'Sluice',
    pid: server.pid,
    port: server.port,
    shot: callShot('up.echo', INPUT, server.token),
    stop,
  };
}

export const mcpProxy = (): Promise<Gateway> =>
  peerGateway('mcp-proxy', '/mcp', (port) => [
    ...[peer('mcp-proxy'), '--host', '127.0.0.1', '--port', String(port), '--', ...upstream],
  ]);

export const supergateway = (): Promise<Gateway> =>
  peerGateway('supergateway', '/mcp', (port) => [
    ...[peer('supergateway'), '--port', String(port), '--stateful', '--logLevel', 'none'],
    ...['--outputTransport', 'streamableHttp', '--stdio', upstream.join(' ')],
  ]);

export const fiberplane = (): Promise<Gateway> =>
  peerGateway('@fiberplane/mcp-gateway', '/s/up/mcp', (port, folder) => {
    const [command, ...args] = upstream;
    const up = { type: 'stdio', command, args, sessionMode: 'shared' };
    writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { up } }));
    return [peer('mcp-gateway'), '--port', String(port), '--storage-dir', folder];
  });

/** It answers MCP by the event streams of 2024 only; its own interface is one request and one answer, as the others'. */
export async function mcpHub(): Promise<Gateway> {
  const started = await startPeer((port, folder) => {
    const [command, ...args] = upstream;
    const config = join(folder, 'hub.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { up: { command, args } } }));
    return [peer('mcp-hub'), '--port', String(port), '--config', config];
  });
  const body = JSON.stringify({ server_name: 'up', tool: 'echo', arguments: INPUT });
  const shot = { path: '/api/servers/tools', headers: { 'content-type': 'application/json' }, body };
  await untilAnswered(`http://127.0.0.1:${started.port}${shot.path}`, shot.headers, body);
  return { name: 'mcp-hub (its own API)', shot, ...started };
}

type CommandOf = (port: number, folder: string) => readonly string[];

async function peerGateway(name: string, path: string, command: CommandOf): Promise<Gateway> {
  const started = await startPeer(command);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const say = (method: string, id: number | undefined, params: object): string =>
    JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params });
  const clientInfo = { name: 'bench', version: '1.0.0' };
  const greeting = say('initialize', 0, { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const url = `http://127.0.0.1:${started.port}${path}`;
  const session = await untilAnswered(url, headers, greeting);
  const further = {
    ...headers,
    ...(session && { 'mcp-session-id': session }),
    'mcp-protocol-version': '2025-06-18',
  };
  await fetch(url, {
    method: 'POST',
    headers: further,
    body: say('notifications/initialized', undefined, {}),
  });
  const shot = { path, headers: further, body: say('tools/call', 1, { name: 'echo', arguments: INPUT }) };
  return { name, shot, ...started };
}

async function startPeer(command: CommandOf): Promise<Pick<Gateway, 'pid' | 'port' | 'stop'>> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-peer-'));
  const child = spawn(process.execPath, command(port, folder), { stdio: 'ignore', detached: true });
  const end = (): void => endGroup(child);
  process.once('exit', end);
  return {
    pid: child.pid ?? 0,
    port,
    async stop() {
      process.off('exit', end);
      end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** The session it was given, if any. */
async function untilAnswered(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<string | null> {
  for (let left = 150; ; left -= 1) {
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
    await answer?.text();
    if (answer?.ok) return answer.headers.get('mcp-session-id');
    if (left === 0) throw new Error(`${url} is not there${answer ? `: ${answer.status}` : ''}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** A gateway and all it runs, without the upstream program: that is everybody's. */
export function usedBy({ pid }: Gateway): { readonly cpuMicros: number; readonly bytes: number } {
  const isUpstream = (one: number): boolean =>
    readFileSync(`/proc/${one}/cmdline`, 'utf8').split('\0')[1] === UPSTREAM;
  const pids = withDescendants(pid).filter((one) => !isUpstream(one));
  const sum = (of: (one: number) => number): number => pids.reduce((total, one) => total + of(one), 0);
  return { cpuMicros: sum(cpuMicros), bytes: sum(residentBytes) };
}

function withDescendants(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // It has ended meanwhile.
    }
  }
  const all = [root];
  for (const pid of all) all.push(...(children.get(pid) ?? []));
  return all;
}
