/**
 * Streamable HTTP: one URL for both protocol eras. Host, Origin, credential, method, type, size and JSON are
 * checked here, once, in this order; everything behind works on what was checked.
 */
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  classifyInboundRequest,
  createMcpHandler,
  type McpHttpHandler,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Gateway, Grant } from '../../gateway/gateway.ts';
import type { CallRequest, Outcome } from '../../gateway/request.ts';
import type { Clock } from '../../kernel/clock.ts';
import { asSluiceError, type ErrorCode, SluiceError } from '../../kernel/errors.ts';
import { faultFields, type Log } from '../../kernel/log.ts';
import { answerHot, createKnownEnvelopes, hotCallOf, type StandardHeaders } from './hot-call.ts';
import { refuse, refuseWith, send } from './http-answer.ts';
import { bearerToken, isLocalRequest, isPlainJson, localNames, repeatedHeader } from './http-checks.ts';
import { createLegacySessions, type LegacySessions } from './legacy-sessions.ts';
import { answerListen } from './listen.ts';
import { type RefusedMessage, refusedMessage } from './message-checks.ts';
import { createOpenResponses, type OpenResponses } from './open-responses.ts';
import { createProtocolServer, type Peer } from './protocol-server.ts';
import { type Body, readBody } from './read-body.ts';
import { parseStrictJson } from './strict-json.ts';

export const BODY_LIMIT = 8 * 1024 * 1024;

/** When a right ends, answers that say so get this long to leave; the law is one second. */
const GRACE_MS = 250;
/** When the server stops, answers to calls that ended get this long to leave. */
const LEAVE_MS = 2_000;

export interface HttpOptions {
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly log: Log;
  readonly host: string;
  readonly port: number;
  /** Names besides localhost that Host and Origin may carry. */
  readonly allowedHosts: readonly string[];
  readonly maxConnections: number;
  /** False sends every request the SDK's way, so that the two ways can be compared. */
  readonly hot?: boolean;
}

export interface HttpSurface {
  readonly url: string;
  readonly port: number;
  readonly sessions: number;
  /** Accepts nothing new and ends streams; calls under way are the gateway's to finish. */
  stop(): void;
  close(): Promise<void>;
}

interface Parts extends HttpOptions {
  readonly sessions: LegacySessions;
  readonly responses: OpenResponses;
  readonly modern: McpHttpHandler;
  readonly localNames: ReadonlySet<string>;
  readonly envelopes: ReturnType<typeof createKnownEnvelopes>;
  readonly listens: Set<() => void>;
}

type AuthedRequest = IncomingMessage & { auth?: AuthInfo };
/** Knows how its call ended, if there was one. */
type CalledRequest = IncomingMessage & { ended?: Outcome };

/** The SDK's view of the same object. */
type NodeRequest = Parameters<ReturnType<typeof toNodeHandler>>[0];

export async function serveHttp(options: HttpOptions): Promise<HttpSurface> {
  const { gateway, clock, log } = options;
  const responses = createOpenResponses();
  const build = () => createProtocolServer(gateway, 'legacy', peerOf);
  const sessions = createLegacySessions({ gateway, clock, log, build });
  const modern = createMcpHandler(() => createProtocolServer(gateway, 'modern', peerOf), {
    legacy: 'reject',
  });
  const listens = new Set<() => void>();
  const parts: Parts = {
    ...options,
    sessions,
    responses,
    modern,
    listens,
    localNames: localNames(options.allowedHosts),
    envelopes: createKnownEnvelopes(),
  };

  const endStreams = (credential?: string): void => {
    responses.end(credential, GRACE_MS);
    sessions.end(credential, GRACE_MS);
  };
  const stopFollowing = gateway.onChange((change) => {
    if (change.kind === 'revoked') endStreams(change.credential);
    if (change.kind === 'switched' && !change.enabled) endStreams();
  });

  const server = createServer({ connectionsCheckingInterval: 1_000 }, (request, response) => {
    answer(parts, request, response).catch((error: unknown) => {
      const failure = asSluiceError(error);
      if (failure.code === 'internal') log.error('request_failed', faultFields(failure));
      refuseWith(response, failure);
    });
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}/mcp`,
    get sessions() {
      return sessions.count;
    },
    stop() {
      stopFollowing();
      for (const end of listens) end();
      server.close();
      server.closeIdleConnections();
    },
    async close() {
      await responses.settled(LEAVE_MS);
      sessions.end(undefined, 0);
      await modern.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        if (server.listening) server.close(() => resolve());
        else resolve();
      });
    },
  };
}

async function listen(server: HttpServer, { host, port, maxConnections }: HttpOptions): Promise<void> {
  // A sender that takes longer than this over its headers or body holds a connection for nothing.
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 65_000;
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? 'is in use; choose another with --port'
          : `cannot be used (${error.code})`;
      reject(new SluiceError('unavailable', `${host}:${port} ${reason}`, {}, error));
    });
    server.listen(port, host, () => resolve());
  });
}

async function answer(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const repeated = repeatedHeader(request);
  if (repeated !== undefined) {
    await turnAway(parts, request, 'header', 'invalid_request');
    return refuse(response, 400, `The header "${repeated}" was sent twice`);
  }
  if (!isLocalRequest(request, parts.localNames)) {
    await turnAway(parts, request, 'host', 'denied');
    return refuse(response, 403, 'This Host or Origin is not allowed');
  }
  const [path] = (request.url ?? '').split('?');
  if (path === '/health') return answerHealth(parts, request, response);
  if (path !== '/mcp') return refuse(response, 404, 'Not found');
  const grant = await authenticate(parts, request, response);
  if (!grant) return;
  parts.responses.add(grant.credential, response);
  if (!parts.gateway.enabled()) return refuseDisabled(parts, grant, request, response);
  if (request.method === 'POST') return answerPost(parts, grant, request, response);
  if (request.method === 'GET' || request.method === 'DELETE')
    return answerLegacy(parts, grant, withPeer(request, grant), response, undefined);
  await record(parts, grant, request, `(${request.method})`, 'invalid_request');
  refuse(response, 405, 'Method not allowed', { allow: 'POST, GET, DELETE' });
}

async function answerHealth(
  { gateway }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'Method not allowed', { allow: 'GET' });
  const ready = gateway.ready('mcp-http', sourceOf(request));
  // At once where it can be: who asks may have closed its side already.
  if (ready === true || (await ready)) send(response, 200, { status: 'ok' });
  else send(response, 503, { status: 'unavailable' });
}

async function authenticate(
  { gateway }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Grant | undefined> {
  const token = bearerToken(request) ?? '';
  try {
    return await gateway.admit({ kind: 'bearer', token, surface: 'mcp-http' }, sourceOf(request));
  } catch (error) {
    const failure = asSluiceError(error);
    if (failure.code !== 'unauthenticated') throw failure;
    // No detail: whoever has no token learns nothing, not even what was wrong with it.
    refuse(response, 401, 'Unauthorized', { 'www-authenticate': 'Bearer realm="sluice"' });
    return undefined;
  }
}

async function refuseDisabled(
  parts: Parts,
  grant: Grant,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await record(parts, grant, request, '(request)', 'disabled');
  refuseWith(response, new SluiceError('disabled', 'Sluice is switched off'));
}

async function answerPost(
  parts: Parts,
  grant: Grant,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isPlainJson(request)) {
    await record(parts, grant, request, '(request)', 'invalid_request');
    // As with an oversize body: it is not read, so the connection cannot be used again.
    return refuse(response, 415, 'The body must be application/json as it is', { connection: 'close' });
  }
  let body: Body;
  let message: unknown;
  try {
    body = await readBody(request, BODY_LIMIT);
    message = parseStrictJson(body.text);
  } catch (error) {
    const failure = asSluiceError(error);
    await record(parts, grant, request, '(request)', failure.code);
    // What is left of an oversize body is never read, so the connection cannot be used again.
    if (failure.code === 'payload_too_large') response.setHeader('connection', 'close');
    return refuseWith(response, failure);
  }
  const headers = standardHeaders(request);
  const peer: Peer = {
    grant,
    source: sourceOf(request),
    bytes: body.bytes,
    mirrored: mirroredBy(request),
  };
  const hot = parts.hot === false ? undefined : hotCallOf(message, headers);
  if (hot && parts.envelopes.has(hot)) return answerHot(parts.gateway, hot, peer, response);
  const route = classifyInboundRequest({ httpMethod: 'POST', ...headers, body: message });
  if (hot && route.kind === 'modern') {
    parts.envelopes.add(hot);
    return answerHot(parts.gateway, hot, peer, response);
  }
  const era = route.kind === 'legacy' ? 'legacy' : 'modern';
  const refused = refusedMessage(message, era);
  if (refused && !refused.answeredByProtocol) {
    await record(parts, grant, request, refused.what, refused.error.code);
    return refuseWith(response, refused.error, (message as { id?: unknown }).id, 200);
  }
  const authed = withPeer(request, grant, body.bytes);
  if (era === 'legacy') return answerLegacy(parts, grant, authed, response, message, refused);
  if (methodOf(message) === 'subscriptions/listen')
    return answerListen({ ...parts, peerOf: () => peerFrom(authed.auth) }, authed, response, message);
  return answerModern(parts, grant, authed, response, message);
}

/** What the SDK turns away (headers that contradict the body, an unknown method) is recorded before it is said. */
async function answerModern(
  parts: Parts,
  grant: Grant,
  request: AuthedRequest,
  response: ServerResponse,
  message: unknown,
): Promise<void> {
  const handle = toNodeHandler({
    async fetch(web, options) {
      const answer = await parts.modern.fetch(web, options);
      const { ended } = request as CalledRequest;
      if (ended) return withStatusOf(ended, answer);
      const code = refusalOf(answer.status);
      if (code) await record(parts, grant, request, methodOf(message), code);
      return answer;
    },
  });
  await handle(request as unknown as NodeRequest, response, message);
}

/** Of the errors of calls, those about headers have their own status. */
function withStatusOf(outcome: Outcome, answer: Response): Response {
  if (outcome.ok || outcome.error.code !== 'header_mismatch') return answer;
  return new Response(answer.body, { status: 400, headers: answer.headers });
}

/** Errors of calls come with status 200; these statuses mean that there was no call. */
function refusalOf(status: number): ErrorCode | undefined {
  if (status === 404) return 'unknown_method';
  return status >= 400 && status < 499 ? 'invalid_request' : undefined;
}

function methodOf(message: unknown): string {
  const method = typeof message === 'object' && message !== null && 'method' in message && message.method;
  return typeof method === 'string' ? method : '(request)';
}

function answerLegacy(
  parts: Parts,
  grant: Grant,
  request: AuthedRequest,
  response: ServerResponse,
  body: unknown,
  refused?: RefusedMessage,
): Promise<void> {
  return parts.sessions.handle({
    request,
    response,
    grant,
    body,
    refused,
    record: (what, code) => record(parts, grant, request, what, code),
  });
}

function standardHeaders(request: IncomingMessage): StandardHeaders {
  const single = (name: string): string | undefined => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const [version, method, name] = [single('mcp-protocol-version'), single('mcp-method'), single('mcp-name')];
  return {
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  };
}

async function record(
  { gateway }: Parts,
  grant: Grant,
  request: IncomingMessage,
  what: string,
  code: ErrorCode,
): Promise<void> {
  await gateway.recordRefusal({ kind: 'grant', grant }, sourceOf(request), what, code);
}

/** For requests of which nobody knows whose they are. */
async function turnAway(
  { gateway }: Parts,
  request: IncomingMessage,
  gate: 'host' | 'header',
  code: ErrorCode,
): Promise<void> {
  await gateway.recordTurnedAway('mcp-http', sourceOf(request), gate, code);
}

const sourceOf = (request: IncomingMessage): string => request.socket.remoteAddress ?? 'unknown';

/** Carries the grant through the SDK; the token itself goes no further than here. */
function withPeer(request: IncomingMessage, grant: Grant, bytes?: number): AuthedRequest {
  const peer: Peer = {
    grant,
    source: sourceOf(request),
    bytes,
    mirrored: mirroredBy(request),
    onOutcome: (outcome) => Object.assign(request, { ended: outcome } satisfies Partial<CalledRequest>),
  };
  return Object.assign(request, {
    auth: { token: '', clientId: grant.credential, scopes: [], extra: { peer } },
  });
}

/** Clients without a session repeat arguments in headers; before, nobody did. */
function mirroredBy(request: IncomingMessage): CallRequest['mirrored'] {
  if (request.headers['mcp-method'] === undefined) return undefined;
  return (name) => request.headers[`mcp-param-${name.toLowerCase()}`]?.toString();
}

function peerOf(context: ServerContext): Peer {
  const peer = peerFrom(context.http?.authInfo);
  return context.sessionId === undefined ? peer : { ...peer, session: context.sessionId };
}

function peerFrom(auth: AuthInfo | undefined): Peer {
  const peer = auth?.extra?.peer as Peer | undefined;
  if (!peer) throw new SluiceError('unauthenticated', 'A valid credential is required for this call');
  return peer;
}
