/** What a protected server says about who gives out tokens for it (RFC 9728). */
import type { Challenge } from '../../../domain/providers/ports/custody-desk.ts';
import { OAuthFailure } from '../../../domain/providers/ports/oauth-client.ts';
import { challengeOf } from '../challenge.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { placeOf, type Surroundings } from './surroundings.ts';

export interface ProtectedResource {
  /** As the server writes it; it is sent back exactly so. */
  readonly resource: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Asks without a credential, to be told which one is wanted. */
export async function askForChallenge(around: Surroundings): Promise<Challenge> {
  const place = placeOf(around.provider.href, around, 'discovery', 'the address of the provider');
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'sluice', version: '0' },
  };
  const { answer } = await guardedFetch(place, {
    step: 'discovery',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  return challengeOf(answer);
}

export async function findResource(
  around: Surroundings,
  { resourceMetadata }: Challenge,
): Promise<ProtectedResource> {
  const { provider } = around;
  const path = provider.pathname.replace(/\/$/, '');
  const guesses = [...new Set([`${WELL_KNOWN}${path}`, WELL_KNOWN])].map((at) => provider.origin + at);
  for (const text of resourceMetadata === undefined ? guesses : [resourceMetadata]) {
    const place = placeOf(text, around, 'discovery', 'the address of the resource metadata');
    const { status, json } = await guardedFetch(place, { step: 'discovery' });
    if (status === 200 && json) return readResource(json, provider);
  }
  // Servers of the first revision with authorization are their own authorization server.
  return { resource: provider.href, issuer: provider.origin, scopes: [] };
}

function readResource(json: Readonly<Record<string, unknown>>, provider: URL): ProtectedResource {
  const { resource, authorization_servers: servers, scopes_supported: scopes } = json;
  if (typeof resource !== 'string' || !covers(resource, provider))
    throw new OAuthFailure('discovery', 'the resource metadata is about another resource');
  const issuer = Array.isArray(servers) ? servers[0] : undefined;
  if (typeof issuer !== 'string')
    throw new OAuthFailure('discovery', 'the resource metadata names no authorization server');
  return { resource, issuer, scopes: Array.isArray(scopes) ? scopes.filter(isText) : [] };
}

/** The server itself, or a part of its own path; never another origin. */
function covers(resource: string, provider: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname, search, hash } = new URL(resource);
  if (origin !== provider.origin || search !== '' || hash !== '') return false;
  const under = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return `${provider.pathname.replace(/\/$/, '')}/`.startsWith(under);
}

const isText = (value: unknown): value is string => typeof value === 'string';
