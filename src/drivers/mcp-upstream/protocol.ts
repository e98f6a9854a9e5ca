/** What we say of ourselves in either revision, and how a server introduces itself. */
import { isShown, type Shown } from '../../domain/providers/surface.ts';
import { VERSION } from '../../kernel/version.ts';
import { headerText } from './header-text.ts';
import type { Message } from './wire.ts';

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';
export const UNSUPPORTED_VERSION = -32022;
/** A server that cannot answer without asking for something that this request says cannot be asked for. */
export const MISSING_CAPABILITY = -32021;
export const CLIENT = { name: 'sluice', version: VERSION };

const PROTOCOL = 'io.modelcontextprotocol/';
/** Which stream something is said on, where all share one. */
export const SUBSCRIPTION = `${PROTOCOL}subscriptionId`;
export const CAPABILITIES = `${PROTOCOL}clientCapabilities`;

/** Goes with every request of the newer protocol. */
export const ENVELOPE = {
  [`${PROTOCOL}protocolVersion`]: MODERN,
  [`${PROTOCOL}clientInfo`]: CLIENT,
  [CAPABILITIES]: {},
};

/** What of its lists a server of the newer protocol is asked to tell. */
export const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

export interface Greeting {
  readonly revision: string;
  readonly identity: Shown;
  readonly instructions: string | null;
  readonly capabilities: Shown;
}

export const greetingOf = (revision: string, result: Shown, identity: unknown): Greeting => ({
  revision,
  identity: isShown(identity) ? identity : {},
  instructions: typeof result.instructions === 'string' ? result.instructions : null,
  capabilities: isShown(result.capabilities) ? result.capabilities : {},
});

/** Undefined when the server does not know the newer protocol after all. */
export function modernGreeting(result: Shown): Greeting | undefined {
  const versions = Array.isArray(result.supportedVersions) ? result.supportedVersions : [];
  const info = (result._meta as Shown | undefined)?.[`${PROTOCOL}serverInfo`];
  return versions.includes(MODERN) ? greetingOf(MODERN, result, info ?? result.serverInfo) : undefined;
}

/** The headers that repeat arguments of a call. */
export type Mirror = (tool: unknown, given: unknown) => Readonly<Record<string, string>>;

/** What HTTP repeats of a message. */
export function headersOf(
  revision: string | undefined,
  message: Message | undefined,
  mirror: Mirror,
): Readonly<Record<string, string>> {
  if (revision === undefined) return {};
  const version = { 'mcp-protocol-version': revision };
  if (revision !== MODERN || !message) return version;
  const params = message.params as Shown | undefined;
  const name = params?.name ?? params?.uri;
  return {
    ...version,
    'mcp-method': String(message.method),
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
    ...(message.method === 'tools/call' && mirror(name, params?.arguments)),
  };
}
