/** Who sent a request, as it goes through the SDK to whoever serves it. */
import type { IncomingMessage } from 'node:http';
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Grant } from '../../gateway/gateway.ts';
import type { CallRequest, Outcome } from '../../gateway/request.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { Peer } from './protocol-server.ts';

export type AuthedRequest = IncomingMessage & { auth?: AuthInfo };
/** Knows how its call ended, if there was one. */
export type CalledRequest = IncomingMessage & { ended?: Outcome };

export const sourceOf = (request: IncomingMessage): string => request.socket.remoteAddress ?? 'unknown';

/** Carries the grant through the SDK; the token itself goes no further than here. */
export function withPeer(request: IncomingMessage, grant: Grant, bytes?: number): AuthedRequest {
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
export function mirroredBy(request: IncomingMessage): CallRequest['mirrored'] {
  if (request.headers['mcp-method'] === undefined) return undefined;
  return (name) => request.headers[`mcp-param-${name.toLowerCase()}`]?.toString();
}

export function peerOf(context: ServerContext): Peer {
  const peer = peerFrom(context.http?.authInfo);
  return context.sessionId === undefined ? peer : { ...peer, session: context.sessionId };
}

export function peerFrom(auth: AuthInfo | undefined): Peer {
  const peer = auth?.extra?.peer as Peer | undefined;
  if (!peer) throw new SluiceError('unauthenticated', 'A valid credential is required for this call');
  return peer;
}
