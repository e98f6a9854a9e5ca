/**
 * An upstream server over HTTP that wants a token, and the authorization server that gives it, in one: each does what
 * its script says, which a test can change under way. `visit` is the person at the browser, who always says yes.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;
type Say = (status: number, json: Json, headers?: Record<string, string>) => unknown;

export interface ProtectedScript {
  /** Whether a bearer token is let in; those that were given out and not taken back, if left out. */
  accepts?: (token: string | undefined) => boolean;
  /** In the place of the 401 with a pointer to the metadata. */
  challenge?: (origin: string) => { status: number; header: string };
  /** Laid over what the resource says of itself. */
  resource?: Json;
  /** Laid over what the authorization server says of itself; undefined takes a field away. */
  server?: Json;
  /** Laid over the parameters that go back with the browser; undefined takes one away. */
  redirect?: Readonly<Record<string, string | undefined>>;
  /** Laid over the answer of the token endpoint. */
  token?: Json;
  /** Answers of the token endpoint that are no 200. */
  tokenStatus?: number;
  /** Where a GET or POST of this path is sent to instead. */
  moved?: Readonly<Record<string, string>>;
}

export interface ProtectedUpstream {
  readonly origin: string;
  readonly url: string;
  script: ProtectedScript;
  /** Everything that was asked: method, path, headers, form or message. */
  readonly asked: readonly Asked[];
  /** Forms that came to the token endpoint. */
  tokenForms(): readonly Readonly<Record<string, string>>[];
  /** Takes back every access token that was given. */
  expireAll(): void;
  /** Says yes; what the browser is sent back with. */
  consent(url: string): Promise<Readonly<Record<string, string>>>;
  /** Says yes and follows as a browser does; the status of the page it ends at. */
  visit(url: string): Promise<number>;
  close(): Promise<void>;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export async function protectedUpstream(script: ProtectedScript = {}): Promise<ProtectedUpstream> {
  const asked: Asked[] = [];
  const given = new Set<string>();
  const challenges = new Map<string, string>();
  const self = { script };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    let body = '';
    for await (const part of request) body += part;
    const { pathname, searchParams } = new URL(request.url ?? '', origin);
    asked.push({ method: request.method ?? '', path: pathname, headers: request.headers, body });
    const say = (status: number, json: Json, headers: Record<string, string> = {}): void => {
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(json));
    };
    const moved = self.script.moved?.[pathname];
    if (moved !== undefined) return say(307, {}, { location: moved });
    if (pathname === '/.well-known/oauth-protected-resource/mcp')
      return say(200, {
        resource: `${origin}/mcp`,
        authorization_servers: [origin],
        ...self.script.resource,
      });
    if (pathname === '/.well-known/oauth-authorization-server')
      return say(200, { ...describeServer(origin), ...self.script.server });
    if (pathname === '/register')
      return say(201, { client_id: 'client-1', token_endpoint_auth_method: 'none' });
    if (pathname === '/authorize') return authorize(searchParams, response);
    if (pathname === '/token') return giveTokens(new URLSearchParams(body), say);
    if (pathname === '/mcp' && request.method === 'POST') return serve(request, body, say);
    return response.writeHead(404).end();
  };

  const authorize = (parameters: URLSearchParams, response: ServerResponse): void => {
    const code = randomUUID();
    challenges.set(code, parameters.get('code_challenge') ?? '');
    const back = new URL(parameters.get('redirect_uri') ?? '');
    const answer = { code, state: parameters.get('state') ?? '', iss: origin, ...self.script.redirect };
    for (const [name, value] of Object.entries(answer))
      if (value !== undefined) back.searchParams.set(name, value);
    response.writeHead(302, { location: back.href }).end();
  };

  const giveTokens = (form: URLSearchParams, say: Say): unknown => {
    const { tokenStatus, token } = self.script;
    if (tokenStatus !== undefined) return say(tokenStatus, { error: 'invalid_grant' });
    if (form.get('grant_type') === 'authorization_code') {
      const digest = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (challenges.get(form.get('code') ?? '') !== digest) return say(400, { error: 'invalid_grant' });
      challenges.delete(form.get('code') ?? '');
    }
    const access = `access-${randomUUID()}`;
    given.add(access);
    return say(200, {
      access_token: access,
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: `refresh-${randomUUID()}`,
      ...token,
    });
  };

  const serve = (request: IncomingMessage, body: string, say: Say): unknown => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const letIn = self.script.accepts ?? ((one) => one !== undefined && given.has(one));
    if (!letIn(token)) {
      const header = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      const { status, header: text } = self.script.challenge?.(origin) ?? { status: 401, header };
      return say(status, { error: 'invalid_token' }, { 'www-authenticate': text });
    }
    const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params?: Json };
    const result = answerOf(method, params ?? {});
    if (id === undefined) return say(202, {});
    return say(200, {
      jsonrpc: '2.0',
      id,
      ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }),
    });
  };

  return {
    origin,
    url: `${origin}/mcp`,
    asked,
    get script() {
      return self.script;
    },
    set script(next) {
      self.script = next;
    },
    tokenForms: () =>
      asked
        .filter(({ path }) => path === '/token')
        .map(({ body }) => Object.fromEntries(new URLSearchParams(body))),
    expireAll: () => given.clear(),
    consent: async (url) => Object.fromEntries(new URL(await redirectOf(url)).searchParams),
    visit: async (url) => (await fetch(await redirectOf(url), { redirect: 'manual' })).status,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function redirectOf(url: string): Promise<string> {
  const shown = await fetch(url, { redirect: 'manual' });
  return shown.headers.get('location') ?? '';
}

const describeServer = (origin: string): Json => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

function answerOf(method: string, params: Json): Json | undefined {
  if (method === 'initialize')
    return {
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'protected', version: '1.0.0' },
      capabilities: { tools: {} },
    };
  if (method === 'tools/list')
    return {
      tools: [
        {
          name: 'echo',
          description: 'Tells those who may ask what they said.',
          inputSchema: { type: 'object' },
          annotations: { readOnlyHint: true },
        },
      ],
    };
  if (method === 'tools/call')
    return { content: [{ type: 'text', text: JSON.stringify(params.arguments ?? {}) }] };
  return undefined;
}
