/** Connects to upstream servers, over either transport and in either era, and keeps what they show up to date. */
import type { CustodyDesk } from '../../domain/providers/ports/custody-desk.ts';
import {
  type Asking,
  UpstreamFailure,
  type UpstreamLink,
  type Upstreams,
} from '../../domain/providers/ports/upstream.ts';
import { capabilitiesFor } from '../../domain/providers/relay.ts';
import type { ProviderSurface } from '../../domain/providers/surface.ts';
import type { Clock } from '../../kernel/clock.ts';
import { notTooOften } from '../../kernel/not-too-often.ts';
import { Connection } from './connection.ts';
import { followChanges } from './follow-changes.ts';
import { FollowedResources } from './followed-resources.ts';
import { hearWithout, withoutSecrets } from './hidden-secrets.ts';
import { openHttp } from './http-wire.ts';
import { LogMessages } from './log-messages.ts';
import { mirroredHeaders } from './mirrored-headers.ts';
import { ProgramGroups } from './program-groups.ts';
import type { Greeting } from './protocol.ts';
import { readSurface } from './read-surface.ts';
import { openStdio } from './stdio-wire.ts';
import type { Wire } from './wire.ts';

export interface UpstreamMeans {
  readonly clock: Clock;
  /** All that a program we start is given. */
  readonly environment: Readonly<Record<string, string>>;
  readonly custody: CustodyDesk;
}

/** How often a server is taken at its word that it changed. */
const TELL_EVERY_MS = 1_000;
/** Of a server that says that it changed whenever it is read, so often for one call. */
const MAX_READS = 3;

type Target = Parameters<Upstreams['connect']>[0];

export function createUpstreams(use: UpstreamMeans): Upstreams {
  const groups = new ProgramGroups();
  return {
    connect: (target, user, signal) => connect(use, groups, target, user, signal),
    async close() {
      groups.close();
    },
  };
}

async function connect(
  use: UpstreamMeans,
  groups: ProgramGroups,
  target: Target,
  user: string | null,
  signal: AbortSignal | undefined,
): Promise<UpstreamLink> {
  const { limits } = target;
  const state: { surface?: ProviderSurface; readAt: number; unsure: boolean } = {
    readAt: Number.NEGATIVE_INFINITY,
    unsure: false,
  };
  let tell = (): void => undefined;
  const told = notTooOften(() => tell(), TELL_EVERY_MS);
  const connection = new Connection(
    () => {
      state.readAt = Number.NEGATIVE_INFINITY;
      told();
    },
    (tool, given) => mirroredHeaders(state.surface, tool, given),
    () => {
      state.unsure = true;
    },
  );
  const messages = new LogMessages();
  connection.onLog((message) => messages.hear(message));
  const wire = await openWire(use, groups, target, user, connection);
  const stderr = (): string =>
    withoutSecrets(wire.stderr() + messages.text(), use.custody.given(target, user));
  const giveUp = (): void => connection.end('nobody waits for it any more');
  signal?.addEventListener('abort', giveUp, { once: true });
  if (signal?.aborted) giveUp();
  let greeting: Greeting;
  let heard: Promise<void>;
  try {
    greeting = await connection.begin(wire, limits.connectMs, capabilitiesFor(target.relays ?? []));
    heard = followChanges(connection, wire, greeting);
  } catch (error) {
    await connection.close();
    if (error instanceof UpstreamFailure) error.log = stderr;
    throw error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
  const resources = new FollowedResources(connection, greeting, heard, limits.discoveryMs);
  let reading: Promise<ProviderSurface> | undefined;
  const read = async (): Promise<ProviderSurface> => {
    // What changes while it is being read is read once more the next time.
    const begunAt = use.clock.now();
    state.readAt = begunAt;
    state.unsure = false;
    try {
      state.surface = await readSurface(connection, greeting, { timeoutMs: limits.discoveryMs });
    } catch (error) {
      // What was read before is not made young by an attempt.
      state.readAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
    return state.surface;
  };
  return {
    get ended() {
      return connection.ended;
    },
    async surface(maxAgeMs) {
      for (let tries = 1; ; tries += 1) {
        const young = maxAgeMs > 0 && !state.unsure && use.clock.now() - state.readAt <= maxAgeMs;
        // While it is read anew, what was read before is what it was.
        if (!reading && state.surface && young) return state.surface;
        const begun = reading !== undefined;
        reading ??= read().finally(() => {
          reading = undefined;
        });
        const surface = await reading;
        // It may have said that it changed, or been asked before there was something to look at again for.
        const late = state.readAt === Number.NEGATIVE_INFINITY || (begun && maxAgeMs <= 0);
        if (!late || tries >= MAX_READS) return surface;
      }
    },
    call: ({ tool, input, ...call }) =>
      connection.request('tools/call', { name: tool, arguments: input, ...answersIn(call) }, call),
    ask: ({ method, params, ...options }) =>
      connection.request(method, { ...params, ...answersIn(options) }, options),
    onChanged(listener) {
      tell = listener;
    },
    follow: (uris, updated) => resources.follow(uris, updated),
    get followed() {
      return resources.count;
    },
    over: connection.over,
    close() {
      told.stop();
      resources.stop();
      return connection.close();
    },
    get processes() {
      return wire.processes;
    },
    stderr,
  };
}

const answersIn = ({ inputResponses, requestState }: Asking) => ({
  ...(inputResponses !== undefined && { inputResponses }),
  ...(requestState !== undefined && { requestState }),
});

async function openWire(
  use: UpstreamMeans,
  groups: ProgramGroups,
  target: Target,
  user: string | null,
  connection: Connection,
): Promise<Wire> {
  const { transport } = target;
  const { custody } = use;
  const listener = hearWithout(() => custody.given(target, user), connection);
  if (transport.kind === 'stdio_command') {
    const environment = { ...use.environment, ...(await custody.environment(target, user)) };
    return openStdio({ environment, groups }, transport, listener);
  }
  return openHttp(transport, listener, {
    header: () => custody.header(target, user),
    refused: (challenge, sent) => custody.refused(target, user, challenge, sent),
  });
}
