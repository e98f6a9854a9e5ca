/** What a server says in `WWW-Authenticate` about the credential it wants. */
import type { IncomingMessage } from 'node:http';
import type { Challenge } from '../../domain/providers/ports/custody-desk.ts';

const MAX_HEADER = 4_096;

export function challengeOf({ statusCode = 0, headers }: IncomingMessage): Challenge {
  const text = (headers['www-authenticate'] ?? '').slice(0, MAX_HEADER);
  const bearer = /(?:^|,)\s*bearer\s+(.*)$/is.exec(text)?.[1] ?? '';
  return {
    status: statusCode,
    error: parameter(bearer, 'error'),
    scope: parameter(bearer, 'scope'),
    resourceMetadata: parameter(bearer, 'resource_metadata'),
  };
}

function parameter(text: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[,\\s])${name}\\s*=\\s*(?:"([^"]*)"|([^\\s,"]+))`, 'i').exec(text);
  return found?.[1] ?? found?.[2];
}
