/** A request from its first line on: Host, Origin, credential and method are checked here, once, in this order. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Grant } from '../../gateway/gateway.ts';
import { asSluiceError, SluiceError } from '../../kernel/errors.ts';
import { refuse, refuseWith, send } from './http-answer.ts';
import { bearerToken, isLocalRequest, repeatedHeader } from './http-checks.ts';
import type { HttpParts } from './http-parts.ts';
import { sourceOf, withPeer } from './http-peer.ts';
import { answerLegacy, answerPost } from './http-post.ts';
import { record, turnAway } from './http-records.ts';

export async function answerRequest(
  parts: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const repeated = repeatedHeader(request);
  if (repeated !== undefined) {
    await turnAway(parts, request, 'header', 'invalid_request');
    return refuse(response, 400, `The header "${repeated}" was sent twice`);
  }
  if (!isLocalRequest(request, parts.localNames)) {
    await turnAway(parts, request, 'host', 'denied');
    return refuse(response, 403, 'This Host or Origin is not allowed');
  }
  const { url = '' } = request;
  const path = url === '/mcp' ? url : url.split('?')[0];
  if (path === '/health') return answerHealth(parts, request, response);
  if (path !== '/mcp') return refuse(response, 404, 'Not found');
  const admitted = authenticate(parts, request, response);
  const grant = admitted instanceof Promise ? await admitted : admitted;
  if (!grant) return;
  const open = parts.responses.add(grant.credential, response);
  if (!parts.gateway.enabled()) return refuseDisabled(parts, grant, request, response);
  if (request.method === 'POST') return answerPost(parts, grant, request, open);
  if (request.method === 'GET' || request.method === 'DELETE')
    return answerLegacy(parts, grant, withPeer(request, grant), response, undefined);
  await record(parts, grant, request, `(${request.method})`, 'invalid_request');
  refuse(response, 405, 'Method not allowed', { allow: 'POST, GET, DELETE' });
}

async function answerHealth(
  { gateway }: HttpParts,
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

function authenticate(
  { gateway }: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
): Grant | Promise<Grant | undefined> {
  const token = bearerToken(request) ?? '';
  const admitted = gateway.admit({ kind: 'bearer', token, surface: 'mcp-http' }, sourceOf(request));
  return admitted instanceof Promise ? admitted.catch((error) => refuseUnknown(response, error)) : admitted;
}

/** No detail: whoever has no token learns nothing, not even what was wrong with it. */
function refuseUnknown(response: ServerResponse, error: unknown): undefined {
  const failure = asSluiceError(error);
  if (failure.code !== 'unauthenticated') throw failure;
  refuse(response, 401, 'Unauthorized', { 'www-authenticate': 'Bearer realm="sluice"' });
}

async function refuseDisabled(
  parts: HttpParts,
  grant: Grant,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await record(parts, grant, request, '(request)', 'disabled');
  refuseWith(response, new SluiceError('disabled', 'Sluice is switched off'));
}
