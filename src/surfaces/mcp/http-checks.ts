/** What every HTTP request must satisfy before anybody looks at what it wants. */
import type { IncomingMessage } from 'node:http';

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Headers that decide something; sent twice, two readers could decide differently. */
const SINGLE = new Set([
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-length',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
]);

export function repeatedHeader(request: IncomingMessage): string | undefined {
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
export function isLocalRequest(request: IncomingMessage, furtherNames: readonly string[]): boolean {
  const names = new Set([...LOCAL_NAMES, ...furtherNames]);
  const { host, origin } = request.headers;
  const hostname = hostnameOf(`http://${host ?? ''}`);
  if (hostname === undefined || !names.has(hostname)) return false;
  if (origin === undefined) return true;
  const from = hostnameOf(origin);
  return from !== undefined && names.has(from);
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined;
}

/** The token of an Authorization header; undefined when there is none of the right form. */
export function bearerToken(request: IncomingMessage): string | undefined {
  const found = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '');
  return found?.[1];
}

export function isJson(request: IncomingMessage): boolean {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase() === 'application/json';
}
