/** A message: read, parsed and checked once, then sent the short way, to the SDK of its era, or turned away. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import type { Grant } from '../../gateway/gateway.ts';
import type { Outcome } from '../../gateway/request.ts';
import { asSluiceError, type ErrorCode } from '../../kernel/errors.ts';
import { answerHot, hotCallOf } from './hot-call.ts';
import { refuse, refuseWith } from './http-answer.ts';
import { isPlainJson } from './http-checks.ts';
import type { HttpParts } from './http-parts.ts';
import {
  type AuthedRequest,
  type CalledRequest,
  mirroredBy,
  peerFrom,
  sourceOf,
  withPeer,
} from './http-peer.ts';
import { record } from './http-records.ts';
import { answerListen } from './listen.ts';
import { type RefusedMessage, refusedMessage } from './message-checks.ts';
import type { OpenResponse } from './open-responses.ts';
import { BODY_LIMIT, type Body, readBody } from './read-body.ts';
import { parseStrictJson } from './strict-json.ts';

/** The SDK's view of the same object. */
type NodeRequest = Parameters<ReturnType<typeof toNodeHandler>>[0];

export async function answerPost(
  parts: HttpParts,
  grant: Grant,
  request: IncomingMessage,
  open: OpenResponse,
): Promise<void> {
  const { response } = open;
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
  const hot = parts.hot === false ? undefined : hotCallOf(message, request.headers);
  const peer = hot && {
    grant,
    source: sourceOf(request),
    bytes: body.bytes,
    mirrored: mirroredBy(request),
  };
  if (peer && parts.envelopes.has(hot)) return answerHot(parts.gateway, hot, peer, open);
  const route = classifyInboundRequest({ httpMethod: 'POST', ...standardHeaders(request), body: message });
  if (peer && route.kind === 'modern') {
    parts.envelopes.add(hot);
    return answerHot(parts.gateway, hot, peer, open);
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
  parts: HttpParts,
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

export function answerLegacy(
  parts: HttpParts,
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

/** As the SDK wants them. */
function standardHeaders(request: IncomingMessage) {
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
