/** What every HTTP request must satisfy before anybody looks at what it wants. */
import type { IncomingMessage } from 'node:http';

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** The names that Host and Origin may carry. */
export const localNames = (further: readonly string[]): ReadonlySet<string> =>
  new Set([...LOCAL_NAMES, ...further.map((name) => name.toLowerCase())]);

/** Headers that decide something; sent twice, two readers could decide differently. */
const SINGLE = new Set([
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-encoding',
  'content-length',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
]);

export function repeatedHeader(request: IncomingMessage): string | undefined {
  // As many lines as names: nothing can have come twice.
  if (request.rawHeaders.length === 2 * Object.keys(request.headers).length) return undefined;
  const seen = new Set<string>();
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i]?.toLowerCase() ?? '';
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/** A page on the web can make a browser send requests here, but not with a Host and Origin of ours. */
export function isLocalRequest(request: IncomingMessage, names: ReadonlySet<string>): boolean {
  const { host, origin } = request.headers;
  if (!names.has(hostname(host ?? '') ?? '')) return false;
  if (origin === undefined) return true;
  const [, from = ''] = /^https?:\/\/(.*)$/i.exec(origin) ?? [];
  return names.has(hostname(from) ?? '');
}

/**
 * The name in `name` or `name:port`, as it is written: an address in another notation, or anything around the
 * name, is nothing a client of ours sends.
 */
function hostname(authority: string): string | undefined {
  const found = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(authority);
  return found?.[1]?.toLowerCase();
}

/** The token of an Authorization header; undefined when there is none of the right form. */
export function bearerToken(request: IncomingMessage): string | undefined {
  const found = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '');
  return found?.[1];
}

/** As it is, too: what would first have to be unpacked could be of any size. */
export function isPlainJson(request: IncomingMessage): boolean {
  const { 'content-type': said = '', 'content-encoding': packed } = request.headers;
  if (said === 'application/json' && packed === undefined) return true;
  const [type = ''] = said.split(';');
  const encoding = packed?.trim().toLowerCase() ?? 'identity';
  return type.trim().toLowerCase() === 'application/json' && encoding === 'identity';
}
