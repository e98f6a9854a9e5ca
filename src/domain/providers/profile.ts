/** What Sluice keeps of an upstream MCP server: how it is reached, how far it is trusted, what of it was admitted. */
import { invalidInput } from '../../kernel/errors.ts';
import type { AdmissionCheck } from './admission-record.ts';
import type { Custody } from './custody/custody-rules.ts';

export const TRUST_TIERS = ['CONTROLLED_LOCAL', 'USER_ADDED_REVIEWED', 'ORG_MANAGED', 'BLOCKED'] as const;
export type TrustTier = (typeof TRUST_TIERS)[number];

export const EFFECT_CLASSES = [
  'READ_ONLY',
  'LOCAL_SIDE_EFFECT',
  'EXTERNAL_SIDE_EFFECT',
  'SENSITIVE_READ',
  'UNSUPPORTED_EFFECT',
] as const;
export type EffectClass = (typeof EFFECT_CLASSES)[number];

/** What a provider may be allowed to ask the one who calls for. */
export const RELAYS = ['elicitation', 'sampling', 'roots'] as const;
export type Relay = (typeof RELAYS)[number];

/** Started by us: a program and its arguments, never a line for a shell. */
export interface StdioTransport {
  readonly kind: 'stdio_command';
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string | null;
  readonly isolation?: Isolation;
}

/** The program sees the system's programs, what is listed here, and an empty home; no network unless it is given. */
export interface Isolation {
  readonly kind: 'bwrap';
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly network: boolean;
}

/** Reached over the network, at this origin and no other. */
export interface HttpTransport {
  readonly kind: 'streamable_http';
  readonly url: string;
  /** Addresses of private networks may be dialled. */
  readonly privateNetwork: boolean;
}

export type Transport = StdioTransport | HttpTransport;

export interface AllowedTool {
  readonly name: string;
  readonly pin: string;
  readonly effect: EffectClass;
  /** A person gave the effect, or named the tool with the effect before it; else it is the tool's own word. */
  readonly confirmed?: boolean;
}

export interface AllowedResource {
  readonly uri: string;
  readonly pin: string;
}

export interface ProviderLimits {
  readonly connectMs: number;
  readonly discoveryMs: number;
  /** To answer, or to say that it has come further. */
  readonly callMs: number;
  /** How long whoever calls may take to answer a question of it; left out = ten minutes. */
  readonly answerMs?: number;
  /** How old the surface last read may be when a call is made; 0 = read anew before each. */
  readonly repinAfterMs: number;
  /** Without a call for so long, the connection is given up. */
  readonly idleMs: number;
  readonly lifetimeMs: number;
  readonly concurrent: number;
  /** Calls that wait for their turn; more are turned away. */
  readonly queued: number;
  /** Text of one answer; what is longer is kept as a blob. */
  readonly textBytes: number;
  /** For tools of it that are to have more or less than the others, by their names. */
  readonly textBytesOf?: Readonly<Record<string, number>>;
}

export const DEFAULT_PROVIDER_LIMITS: ProviderLimits = {
  connectMs: 15_000,
  discoveryMs: 30_000,
  callMs: 60_000,
  repinAfterMs: 5_000,
  idleMs: 600_000,
  lifetimeMs: 86_400_000,
  concurrent: 8,
  queued: 64,
  textBytes: 65_536,
};

/** Nothing is under way for longer. */
const LONGEST_CALL_MS = 1_200_000;

/** For a call that goes on, as long as it says so. */
export const mostMsOf = ({ callMs }: Pick<ProviderLimits, 'callMs'>): number =>
  Math.min(10 * callMs, LONGEST_CALL_MS);

export const patienceOf = (limits: ProviderLimits) => ({
  timeoutMs: limits.callMs,
  mostMs: mostMsOf(limits),
});

export const textBytesFor = ({ textBytes, textBytesOf = {} }: ProviderLimits, tool: string): number =>
  (Object.hasOwn(textBytesOf, tool) ? textBytesOf[tool] : undefined) ?? textBytes;

export interface ProviderProfile {
  readonly id: string;
  readonly displayName: string;
  readonly transport: Transport;
  /** Empty until a person has admitted something; then never again. */
  readonly allowedTools: readonly AllowedTool[];
  /** Of everything that is not a tool: identity, instructions, prompts, resource templates. */
  readonly surfacePin: string | null;
  /** What else was admitted; absent before anything was. Prompts and templates are pinned with the rest. */
  readonly allowedPrompts?: readonly string[];
  readonly allowedResources?: readonly AllowedResource[];
  readonly allowedTemplates?: readonly string[];
  /** What it may ask the one who calls for; nothing unless a person allowed it. */
  readonly relays?: readonly Relay[];
  /** The provider that is the same program by a person's word; the first of them where there are several. */
  readonly sameAs?: string;
  /** What was proven when it was last discovered, of a server on the network. */
  readonly admission?: readonly AdmissionCheck[];
  readonly trust: TrustTier;
  readonly credentialRef: string | null;
  /** Left out = sent as a bearer token that all callers share. */
  readonly custody?: Custody;
  readonly limits: ProviderLimits;
  /** Hosts whose pictures and addresses its answers may hold. */
  readonly allowedHosts?: readonly string[];
}

/** It begins every name its tools have, so nothing in it may look like something else. */
const PROVIDER_ID = /^(?!.*__)[a-z](?:[a-z0-9_]{0,30}[a-z0-9])?$/;

export function checkProviderId(id: string): string {
  if (PROVIDER_ID.test(id)) return id;
  throw invalidInput(
    'id',
    'must be 1 to 32 lower case letters, digits or single _ between them, and begin with a letter',
  );
}

export function checkTransport(transport: Transport): Transport {
  if (transport.kind === 'streamable_http') {
    checkUrl(transport.url);
    return transport;
  }
  const parts = [transport.command, ...transport.args];
  if (transport.command === '') throw invalidInput('command', 'must name a program');
  if (parts.some((part) => part.includes('\0'))) throw invalidInput('args', 'must not hold NUL characters');
  if (parts.join(' ').length > MAX_COMMAND) throw invalidInput('args', `must be at most ${MAX_COMMAND} long`);
  for (const path of [...(transport.isolation?.read ?? []), ...(transport.isolation?.write ?? [])])
    if (!path.startsWith('/') || path.includes('\0'))
      throw invalidInput('isolation', `must list whole paths, not "${path}"`);
  return transport;
}

const MAX_COMMAND = 16_384;

/** The address names a place and nothing else: no user, no query, no fragment; encrypted unless it is this machine. */
export function checkUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalidInput('url', 'must be an address such as https://example.com/mcp');
  }
  const loopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))
    throw invalidInput('url', 'must begin with https:// (http:// only for this machine)');
  if (url.username !== '' || url.password !== '') throw invalidInput('url', 'must not name a user');
  if (url.search !== '' || url.hash !== '') throw invalidInput('url', 'must have no query and no fragment');
  return url;
}

const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/** One host by its full name; what is below it is another. */
export function checkHost(host: string): string {
  if (HOST.test(host)) return host;
  throw invalidInput('allow_hosts', `must be names of hosts such as pictures.example.org, not "${host}"`);
}
