/**
 * An upstream server that does what a file says, over stdio or HTTP and in either era, so that a test can change it
 * under way. Run by Node.js it is the server; imported it is the test's hand on it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { answerAsking, hearAnswer, hearMethod, type ScriptedQuestions } from './scripted-questions.ts';
import { announceUpdates, followBy, type ScriptedUpdates, subscriptions } from './scripted-updates.ts';

type Json = Record<string, unknown>;

export interface Script {
  readonly identity: Json;
  readonly instructions?: string;
  readonly tools: readonly Json[];
  readonly prompts?: readonly Json[];
  readonly resourceTemplates?: readonly Json[];
  /** By tool; a tool without one answers with its arguments. */
  readonly results?: Readonly<Record<string, Json>>;
  readonly resources?: readonly Json[];
  /** By prompt, by address and by argument. */
  readonly promptResults?: Readonly<Record<string, Json>>;
  readonly contents?: Readonly<Record<string, Json>>;
  readonly suggestions?: Readonly<Record<string, readonly string[]>>;
  /** By tool: sent to the client before the answer, as a request of the server's. */
  readonly asks?: Readonly<Record<string, Json>>;
  /** By tool: asked before the answer, which then waits for what it is told. */
  readonly questions?: Readonly<Record<string, ScriptedQuestions>>;
  /** By tool: how long it takes. */
  readonly delays?: Readonly<Record<string, number>>;
  /** By tool: answers with this error of the protocol, or with one in these words. */
  readonly errors?: Readonly<Record<string, string | Json>>;
  /** By tool: tells how far it is so often, from one to as many steps; then it answers. */
  readonly steps?: Readonly<Record<string, { readonly everyMs: number; readonly values: readonly number[] }>>;
  /** What it says with the progress of slow tools. */
  readonly progressText?: string;
  /** Methods it hears and never answers. */
  readonly silent?: readonly string[];
  /** By tool: these bytes instead of an answer, with the request's number for `$ID`; over HTTP its connection ends with them. */
  readonly bytes?: Readonly<Record<string, string>>;
  /** Tools that end the program instead of answering. */
  readonly crashes?: readonly string[];
  /** Says this to whoever wants to hear its log, before each answer. */
  readonly logs?: string;
  /** A higher number than before: says list_changed at once, to everybody who listens. */
  readonly announces?: number;
  /** Lets its resources be followed, and says that these changed. */
  readonly updates?: ScriptedUpdates;
  /** Over HTTP: says nothing unasked. */
  readonly noStream?: boolean;
  /** Asks again whatever it was answered. */
  readonly insists?: boolean;
  /** Says list_changed before it answers the next call. */
  readonly tellsChange?: boolean;
  /** Knows the newer protocol. */
  readonly modern?: boolean;
  /** Tools a page. */
  readonly pageSize?: number;
}

/** What it says of itself is too short to be a copy where a home has several of them. */
export const echoTool: Json = {
  name: 'echo',
  description: 'Says what was told.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
};

/** Of a tool that changes something, here alone and so that nothing is lost: it waits for nobody. */
export const CHANGES_HERE = { destructiveHint: false, openWorldHint: false };

export const BENIGN: Script = { identity: { name: 'scripted', version: '1.0.0' }, tools: [echoTool] };

export type Transport = 'stdio' | 'http';
export const TRANSPORTS: readonly Transport[] = ['stdio', 'http'];

export interface ScriptedUpstream {
  /** How it is registered. */
  readonly target: { readonly command: readonly string[] } | { readonly url: string };
  /** Replaces the script; in force from the next message on. */
  become(script: Script): void;
  /** Every request it got, in order. */
  requests(): readonly Json[];
  /** For HTTP: ends the server and starts it again at the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function scriptedUpstream(
  folder: string,
  transport: Transport,
  script: Script = BENIGN,
): Promise<ScriptedUpstream> {
  const path = join(folder, `upstream-${transport}.json`);
  const log = `${path}.log`;
  const become = (next: Script): void => {
    writeFileSync(`${path}.draft`, JSON.stringify(next));
    renameSync(`${path}.draft`, path);
  };
  become(script);
  let child: ChildProcess | undefined;
  const start = async (port: string): Promise<string> => {
    child = spawn(process.execPath, [import.meta.filename, path, 'http', port], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    return String(line).trim();
  };
  const stop = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const port = transport === 'http' ? await start('0') : '';
  const command = [process.execPath, import.meta.filename, path];
  return {
    target: transport === 'http' ? { url: `http://127.0.0.1:${port}/mcp` } : { command },
    become,
    requests: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line) as Json)
        : [],
    async restart() {
      await stop();
      await start(port);
    },
    close: stop,
  };
}

/** The server's side from here on. */
type Say = (message: Json) => void;

function answer(path: string, message: Json, say: Say): void {
  appendFileSync(`${path}.log`, `${JSON.stringify(message)}\n`);
  hearMethod(message);
  if (message.id === undefined || message.method === undefined) {
    hearAnswer(message);
    return;
  }
  const script = JSON.parse(readFileSync(path, 'utf8')) as Script;
  const reply = (result: Json): void => say({ jsonrpc: '2.0', id: message.id, result });
  const params = (message.params ?? {}) as Json;
  if (script.logs !== undefined)
    say({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'emergency', data: script.logs },
    });
  const capabilities = {
    tools: { listChanged: true },
    ...(script.prompts && { prompts: {} }),
    ...((script.resourceTemplates || script.resources) && {
      resources: script.updates ? { subscribe: true } : {},
    }),
  };
  const greeting = {
    capabilities,
    ...(script.instructions !== undefined && { instructions: script.instructions }),
  };
  const answers: Readonly<Record<string, () => void>> = {
    ...(script.modern && {
      'server/discover': () =>
        reply({
          supportedVersions: ['2026-07-28'],
          ...greeting,
          _meta: { 'io.modelcontextprotocol/serverInfo': script.identity },
        }),
    }),
    initialize: () => reply({ protocolVersion: '2025-11-25', serverInfo: script.identity, ...greeting }),
    'tools/list': () => reply(pageOf(script.tools, script.pageSize, params.cursor)),
    'prompts/list': () => reply({ prompts: script.prompts ?? [] }),
    'resources/templates/list': () => reply({ resourceTemplates: script.resourceTemplates ?? [] }),
    'resources/list': () => reply({ resources: script.resources ?? [] }),
    'prompts/get': () => reply(script.promptResults?.[String(params.name)] ?? saysPrompt(params)),
    'resources/read': () => reply(script.contents?.[String(params.uri)] ?? saysResource(params)),
    'completion/complete': () => {
      const { name } = params.argument as { name: string };
      reply({ completion: { values: script.suggestions?.[name] ?? [] } });
    },
    ...(script.updates && !script.modern && subscriptions(script.updates, params, reply, () => unknown())),
    ping: () => reply({}),
    'tools/call': () => {
      const error = script.errors?.[String(params.name)];
      const said = typeof error === 'string' ? { code: -32_000, message: error } : error;
      if (said === undefined) call(script, params, say, reply);
      else say({ jsonrpc: '2.0', id: message.id, error: said });
    },
  };
  const unknown = (): void =>
    say({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
  if (script.silent?.includes(String(message.method))) return;
  (answers[String(message.method)] ?? unknown)();
}

const saysPrompt = ({ name, arguments: given }: Json): Json => ({
  messages: [{ role: 'user', content: { type: 'text', text: `${name} ${JSON.stringify(given ?? {})}` } }],
});

const saysResource = ({ uri }: Json): Json => ({
  contents: [{ uri, mimeType: 'text/plain', text: `what is in ${uri}` }],
});

function pageOf(tools: readonly Json[], size = tools.length, cursor: unknown): Json {
  const from = Number(cursor ?? 0);
  const next = from + Math.max(1, size);
  return { tools: tools.slice(from, next), ...(next < tools.length && { nextCursor: String(next) }) };
}

function call(script: Script, params: Json, say: Say, reply: (result: Json) => void): void {
  const name = String(params.name);
  if (script.crashes?.includes(name)) process.exit(1);
  if (script.tellsChange) say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  const token = (params._meta as Json | undefined)?.progressToken;
  if (token !== undefined && script.delays?.[name] !== undefined)
    say({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: {
        progressToken: token,
        progress: 1,
        total: 2,
        ...(script.progressText !== undefined && { message: script.progressText }),
      },
    });
  const questions = script.questions?.[name];
  if (questions) {
    void answerAsking(questions, say, listeners, reply);
    return;
  }
  const asked = script.asks?.[name];
  if (asked) say({ jsonrpc: '2.0', id: 'question', ...asked });
  const answered = params.inputResponses ?? params.requestState;
  const answers = { content: [{ type: 'text', text: JSON.stringify(params.inputResponses ?? {}) }] };
  const given = (answered !== undefined && !script.insists ? answers : script.results?.[name]) ?? {
    content: [{ type: 'text', text: JSON.stringify(params.arguments ?? {}) }],
  };
  const { everyMs, values } = script.steps?.[name] ?? { everyMs: 0, values: [] };
  for (const [at, progress] of values.entries())
    setTimeout(
      () =>
        say({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: token, progress },
        }),
      everyMs * (at + 1),
    );
  setTimeout(() => reply(given), script.delays?.[name] ?? everyMs * values.length);
}

/** Notes a call that is answered with bytes as they are, and says which. */
function bytesFor(path: string, message: Json): string | undefined {
  if (message.method !== 'tools/call') return undefined;
  const script = JSON.parse(readFileSync(path, 'utf8')) as Script;
  const bytes = script.bytes?.[String((message.params as Json).name)];
  if (bytes === undefined) return undefined;
  appendFileSync(`${path}.log`, `${JSON.stringify(message)}\n`);
  return bytes.replaceAll('$ID', String(message.id));
}

/** Whoever hears what is said unasked. */
const listeners = new Set<Say>();

function announceChanges(path: string): void {
  const script = (): Script => JSON.parse(readFileSync(path, 'utf8')) as Script;
  let said = script().announces ?? 0;
  announceUpdates(script().updates, []);
  setInterval(() => {
    const { announces: count = 0, updates } = script();
    announceUpdates(updates, listeners);
    if (count <= said) return;
    said = count;
    for (const say of listeners) say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  }, 50).unref();
}

/** In the newer protocol only those hear something who asked for it. */
function listen(path: string, message: Json, say: Say): boolean {
  if (message.method !== 'subscriptions/listen') return false;
  appendFileSync(`${path}.log`, `${JSON.stringify(message)}\n`);
  listeners.add(say);
  followBy((JSON.parse(readFileSync(path, 'utf8')) as Script).updates, say, message);
  return true;
}

function serveStdio(path: string): void {
  const say: Say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  announceChanges(path);
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line) as Json;
    if (message.method === 'initialize') listeners.add(say);
    const bytes = bytesFor(path, message);
    if (bytes !== undefined) process.stdout.write(bytes);
    else if (!listen(path, message, say)) answer(path, message, say);
  });
}

const sayTo =
  (response: ServerResponse): Say =>
  (message) => {
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  };

function serveHttp(path: string, port: number): void {
  const session = String(process.pid);
  announceChanges(path);
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { noStream } = JSON.parse(readFileSync(path, 'utf8')) as Script;
    // No stream is taken up again.
    if (request.method === 'GET' && !noStream && request.headers['last-event-id'] === undefined) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      listeners.add(sayTo(response));
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    let body = '';
    for await (const part of request) body += part;
    const message = JSON.parse(body) as Json;
    const known = request.headers['mcp-session-id'];
    if (known !== undefined && known !== session) {
      response.writeHead(404).end();
      return;
    }
    appendHeaders(path, request);
    const bytes = bytesFor(path, message);
    if (bytes !== undefined) {
      request.socket.end(bytes);
      return;
    }
    if (message.id === undefined || message.method === undefined) {
      answer(path, message, () => undefined);
      response.writeHead(202).end();
      return;
    }
    const head = {
      'content-type': 'text/event-stream',
      ...(message.method === 'initialize' && { 'mcp-session-id': session }),
    };
    response.writeHead(200, head);
    response.once('close', () => {
      if (response.writableFinished) return;
      appendFileSync(`${path}.log`, `${JSON.stringify({ gaveUp: message.id })}\n`);
    });
    const say = sayTo(response);
    if (listen(path, message, say)) return;
    answer(path, message, (said) => {
      say(said);
      if (said.id === message.id) response.end();
    });
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(port, '127.0.0.1', () => {
    const address = server.address();
    process.stdout.write(`${typeof address === 'object' && address ? address.port : ''}\n`);
  });
}

/** What came beside the message, for tests that look for credentials. */
const appendHeaders = (path: string, { headers }: IncomingMessage): void =>
  appendFileSync(`${path}.headers.log`, `${JSON.stringify(headers)}\n`);

if (import.meta.main) {
  const [path = '', transport = 'stdio', port = '0'] = process.argv.slice(2);
  if (transport === 'http') serveHttp(path, Number(port));
  else serveStdio(path);
}
