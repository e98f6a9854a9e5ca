/**
 * A server made with the SDK as a provider of Sluice. The suite calls things by their own names, so a proxy in front
 * puts the provider's name before them and takes it away again; that is all it does besides adding the token.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { addClient, asOwner } from '../support/owner.ts';
import { type RunningServer, startServer } from '../support/process.ts';
import type { ConformanceServer } from './fixture/server.ts';
import { SDK_PROGRAM } from './sdk-fixture/new-server.ts';
import { startSdkServer } from './sdk-fixture/server.ts';

const ID = 'fix';
const ADDRESS = `sluice-provider://${ID}/`;

type Json = Record<string, unknown>;

/** What stands there: a server over HTTP that knows both protocols or the older one, or a program. */
type Behind = 'both' | 'older' | 'program';

export async function startBehindSluice(home: string, behind: Behind): Promise<ConformanceServer> {
  const upstream = behind === 'program' ? undefined : await startSdkServer(behind);
  const gateway = await startServer(home);
  await admitAll(home, upstream ? { url: upstream.url } : { command: [process.execPath, SDK_PROGRAM] });
  // So that it is shown what the server shows, and nothing of Sluice's own.
  const token = await addClient(home, 'suite', { scopes: ['providers.call'] });
  const proxy = await startRenaming(gateway, token);
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await gateway.stop();
      await upstream?.close();
    },
  };
}

async function admitAll(home: string, target: object): Promise<void> {
  await asOwner(home, 'provider.register', { id: ID, ...target });
  const shown = await asOwner<{ tools: readonly { name: string }[] }>(home, 'provider.discover', { id: ID });
  await asOwner(home, 'provider.review', {
    id: ID,
    admit_all: true,
    effects: Object.fromEntries(shown.tools.map(({ name }) => [name, 'READ_ONLY'])),
    relay: ['elicitation', 'sampling', 'roots'],
    trust: 'CONTROLLED_LOCAL',
    reason: 'the fixture of the conformance suite',
  });
}

async function startRenaming({ port }: RunningServer, token: string) {
  const server = createServer((incoming, response) => {
    void (async () => {
      const body = await textOf(incoming);
      const { method, url } = incoming;
      const sent = renamed(body);
      const outgoing = request(
        { host: '127.0.0.1', port, method, path: url, headers: headersFor(incoming.headers, sent, token) },
        (answer) => {
          const { 'content-length': _, ...headers } = answer.headers;
          response.writeHead(answer.statusCode ?? 502, headers);
          response.flushHeaders();
          answer.pipe(withoutNames()).pipe(response);
        },
      );
      outgoing.on('error', () => response.destroy());
      response.on('close', () => outgoing.destroy());
      outgoing.end(sent);
    })();
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return server;
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of incoming.setEncoding('utf8')) text += part;
  return text;
}

function headersFor(headers: IncomingHttpHeaders, body: string, token: string): IncomingHttpHeaders {
  const { 'mcp-name': name, 'content-length': _, 'transfer-encoding': __, ...rest } = headers;
  return {
    ...rest,
    ...(name !== undefined && { 'mcp-name': wireName(headers['mcp-method'], String(name)) }),
    ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
    authorization: `Bearer ${token}`,
  };
}

const wireName = (method: unknown, name: string): string =>
  method === 'resources/read' ? ADDRESS + name : `${ID}.${name}`;

/** What is no message goes through as it is: the suite sends such things on purpose. */
function renamed(body: string): string {
  let message: { method?: unknown; params?: Json };
  try {
    message = JSON.parse(body);
  } catch {
    return body;
  }
  const { method, params } = message;
  if (typeof method !== 'string' || typeof params !== 'object' || params === null) return body;
  const { name, uri, ref, notifications } = params as Json & { ref?: Json; notifications?: Json };
  const called = (method === 'tools/call' || method === 'prompts/get') && typeof name === 'string';
  const followed = notifications?.resourceSubscriptions;
  const changed = {
    ...params,
    ...(called && { name: wireName(method, name) }),
    ...(method.startsWith('resources/') && typeof uri === 'string' && { uri: ADDRESS + uri }),
    ...(ref && {
      ref: { ...ref, ...(ref.name ? { name: `${ID}.${ref.name}` } : { uri: `${ADDRESS}${ref.uri}` }) },
    }),
    ...(Array.isArray(followed) && {
      notifications: { ...notifications, resourceSubscriptions: followed.map((one) => `${ADDRESS}${one}`) },
    }),
  };
  return JSON.stringify({ ...message, params: changed });
}

/** Line by line, so that no name is cut in two and no event waits for the next. */
function withoutNames(): Transform {
  const plain = (text: string): string => text.replaceAll(ADDRESS, '').replaceAll(`"${ID}.`, '"');
  let rest = '';
  return new Transform({
    transform(chunk, _encoding, done) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      done(null, lines.map((line) => `${plain(line)}\n`).join(''));
    },
    flush(done) {
      done(null, plain(rest));
    },
  });
}
