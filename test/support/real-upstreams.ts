/** Upstream servers that others wrote, each with a call that shows that it works. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { peerProgram } from './peers.ts';
import { freePort } from './process.ts';
import { SDK_UPSTREAM } from './sdk-upstream.ts';

const node = process.execPath;

export interface RealUpstream {
  /** The provider's id. */
  readonly id: string;
  readonly about: string;
  /** The revision that it and Sluice agree on. */
  readonly revision: '2025-11-25' | '2026-07-28';
  /** A program and its arguments; the folder is one it may use. */
  command(folder: string, port: number): readonly string[];
  /** Where it listens, if it is reached over HTTP. */
  readonly path?: string;
  readonly call: { readonly tool: string; readonly input: Record<string, unknown>; readonly says: string };
}

const memory = peerProgram('mcp-server-memory');
const sum = { tool: 'get-sum', input: { a: 2, b: 3 }, says: '5' };
const thought = { thought: 'One step', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };

export const REAL_UPSTREAMS: readonly RealUpstream[] = [
  {
    id: 'everything',
    about: 'server-everything',
    revision: '2025-11-25',
    command: () => [node, peerProgram('mcp-server-everything'), 'stdio'],
    call: sum,
  },
  {
    id: 'files',
    about: 'server-filesystem',
    revision: '2025-11-25',
    command: (folder) => [node, peerProgram('mcp-server-filesystem'), folder],
    call: { tool: 'list_allowed_directories', input: {}, says: 'Allowed directories' },
  },
  {
    id: 'graph',
    about: 'server-memory',
    revision: '2025-11-25',
    command: () => [node, memory],
    call: { tool: 'read_graph', input: {}, says: 'entities' },
  },
  {
    id: 'thinking',
    about: 'server-sequential-thinking',
    revision: '2025-11-25',
    command: () => [node, peerProgram('mcp-server-sequential-thinking')],
    call: { tool: 'sequentialthinking', input: thought, says: 'thoughtNumber' },
  },
  {
    id: 'sdk_stdio',
    about: 'a server of the newest SDK over stdio',
    revision: '2026-07-28',
    command: () => [node, SDK_UPSTREAM],
    call: { tool: 'add', input: { a: 2, b: 3 }, says: '5' },
  },
  {
    id: 'sdk_http',
    about: 'a server of the newest SDK over HTTP',
    revision: '2026-07-28',
    command: (_, port) => [node, SDK_UPSTREAM, String(port)],
    path: '/mcp',
    call: { tool: 'add', input: { a: 2, b: 3 }, says: '5' },
  },
  {
    id: 'everything_http',
    about: 'server-everything over HTTP',
    revision: '2025-11-25',
    command: (_, port) => [
      'env',
      `PORT=${port}`,
      node,
      peerProgram('mcp-server-everything'),
      'streamableHttp',
    ],
    path: '/mcp',
    call: sum,
  },
  {
    id: 'proxied',
    about: 'mcp-proxy in front of server-everything',
    revision: '2026-07-28',
    command: (_, port) => [
      ...[node, peerProgram('mcp-proxy'), '--host', '127.0.0.1', '--port', String(port)],
      ...['--', node, peerProgram('mcp-server-everything'), 'stdio'],
    ],
    path: '/mcp',
    call: sum,
  },
  {
    id: 'gatewayed',
    about: 'supergateway in front of server-everything',
    revision: '2025-11-25',
    command: (_, port) => [
      ...[node, peerProgram('supergateway'), '--port', String(port), '--stateful', '--logLevel', 'none'],
      ...['--outputTransport', 'streamableHttp'],
      ...['--stdio', `${node} ${peerProgram('mcp-server-everything')} stdio`],
    ],
    path: '/mcp',
    call: sum,
  },
];

/** One that listens at a port, run by the test as its owner would run it. */
export interface ListeningUpstream {
  readonly url: string;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function listen(upstream: RealUpstream, folder: string): Promise<ListeningUpstream> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const [program = '', ...args] = upstream.command(folder, port);
    // A group of its own: a gateway is ended with what it has started.
    child = spawn(program, args, { stdio: 'ignore', detached: true });
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error(`${upstream.about} ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const stop = async (): Promise<void> => {
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, 'SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}${upstream.path}`,
    async restart() {
      await stop();
      await start();
    },
    close: stop,
  };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false))
      .once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });
