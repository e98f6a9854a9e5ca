/** The ways to Sluice from outside, each as bare JSON-RPC, so that a test sees exactly what is on the wire. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { modernRequest } from './mcp-clients.ts';
import { SLUICE } from './process.ts';
import { messagesIn, type RpcMessage, rawRequest } from './raw-http.ts';

export interface Wire {
  /** Sends a request and waits for its answer. */
  ask(method: string, params?: Record<string, unknown>): Promise<RpcMessage>;
  close(): Promise<void>;
}

/** The structured content of a tool's result. */
export const structuredOf = ({ result }: RpcMessage): Record<string, unknown> =>
  (result?.structuredContent ?? {}) as Record<string, unknown>;

/** What a refused call says, whether as a result or as a protocol error; empty when it was not refused. */
export const refusalOf = (message: RpcMessage): Record<string, unknown> =>
  (message.result?.isError ? structuredOf(message) : message.error?.data) ?? {};

/** The names in the answer to a list. */
export const namesIn = ({ result }: RpcMessage, key = 'tools'): string[] =>
  ((result?.[key] ?? []) as { name: string }[]).map(({ name }) => name);

const LEGACY_VERSION = '2025-11-25';

export const initializeParams = (protocolVersion: string = LEGACY_VERSION): Record<string, unknown> => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'raw', version: '1.0.0' },
});

const PLAIN_HEADERS = [
  ['Content-Type', 'application/json'],
  ['Accept', 'application/json, text/event-stream'],
] as const;

const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const;

export function modernHttp(port: number, token: string): Wire {
  let id = 0;
  return {
    async ask(method, params = {}) {
      id += 1;
      const { body, headers } = modernRequest(method, params, id);
      const { message, status } = await rawRequest(port, {
        headers: [bearer(token), ...Object.entries(headers)],
        body: JSON.stringify(body),
      });
      return message ?? fail(method, status);
    },
    close: async () => undefined,
  };
}

export interface LegacySession extends Wire {
  readonly id: string;
  /** The headers every request of this session carries. */
  readonly headers: readonly (readonly [string, string])[];
}

export async function legacyHttp(port: number, token: string): Promise<LegacySession> {
  const base = [bearer(token), ...PLAIN_HEADERS];
  const opened = await rawRequest(port, {
    headers: base,
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initializeParams() }),
  });
  const session = opened.headers['mcp-session-id'];
  if (session === undefined) throw new Error(`initialize was answered with ${opened.status}: ${opened.body}`);
  const headers = [...base, ['Mcp-Session-Id', session], ['MCP-Protocol-Version', LEGACY_VERSION]] as const;
  await rawRequest(port, {
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  });
  let last = 0;
  return {
    id: session,
    headers,
    async ask(method, params = {}) {
      last += 1;
      const id = last;
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      const answer = await rawRequest(port, { headers, body });
      return messagesIn(answer.body).find((message) => message.id === id) ?? fail(method, answer.status);
    },
    async close() {
      await rawRequest(port, { method: 'DELETE', headers });
    },
  };
}

function fail(method: string, status: number): never {
  throw new Error(`${method} was answered with ${status} and no message`);
}

/** `sluice mcp` as a process, line by line. */
export interface StdioProcess {
  readonly child: ChildProcess;
  send(message: unknown): void;
  /** The answer to the request with this id; rejects when the process ends first. */
  answer(id: number | string | null): Promise<RpcMessage>;
  /** Every message so far. */
  received(): readonly RpcMessage[];
  stderr(): string;
  ended(): Promise<number | null>;
  close(): Promise<void>;
}

export function startStdio(
  home: string,
  args: readonly string[],
  env: Record<string, string> = {},
): StdioProcess {
  const child = spawn(SLUICE, ['mcp', '--home', home, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const received: RpcMessage[] = [];
  const waiting = new Set<() => void>();
  let [pending, stderr, over] = ['', '', false];
  const wake = (): void => {
    for (const look of waiting) look();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (pending + text).split('\n');
    pending = lines.pop() ?? '';
    received.push(...lines.map((line) => JSON.parse(line) as RpcMessage));
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A process that has ended takes no more input; its answers say so.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code]) => {
    over = true;
    wake();
    return code as number | null;
  });
  return {
    child,
    send: (message) => {
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    },
    answer: (id) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = received.find((message) => message.id === id && message.method === undefined);
          if (!found && !over) return;
          waiting.delete(look);
          if (found) resolve(found);
          else reject(new Error(`sluice mcp ended without answering ${id}: ${stderr}`));
        };
        waiting.add(look);
        look();
      }),
    received: () => received,
    stderr: () => stderr,
    ended: () => ended,
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

export function modernStdio(home: string, client: string, args: readonly string[] = []): Wire {
  const program = startStdio(home, ['--client', client, ...args]);
  let id = 0;
  return {
    async ask(method, params = {}) {
      id += 1;
      program.send(modernRequest(method, params, id).body);
      return program.answer(id);
    },
    close: () => program.close(),
  };
}

export async function legacyStdio(home: string, client: string, args: readonly string[] = []): Promise<Wire> {
  const program = startStdio(home, ['--client', client, ...args]);
  program.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initializeParams() });
  await program.answer(0);
  program.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  let id = 0;
  return {
    async ask(method, params = {}) {
      id += 1;
      program.send({ jsonrpc: '2.0', id, method, params });
      return program.answer(id);
    },
    close: () => program.close(),
  };
}
