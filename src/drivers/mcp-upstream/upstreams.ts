/** Connects to upstream servers, over either transport and in either era, and keeps what they show up to date. */
import type { UpstreamLink, Upstreams } from '../../domain/providers/ports/upstream.ts';
import type { ProviderSurface } from '../../domain/providers/surface.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Connection, type Greeting } from './connection.ts';
import { type HttpWire, openHttp } from './http-wire.ts';
import { ProgramGroups } from './program-groups.ts';
import { readSurface } from './read-surface.ts';
import { openStdio } from './stdio-wire.ts';
import type { Wire } from './wire.ts';

export interface UpstreamMeans {
  readonly clock: Clock;
  /** All that a program we start is given. */
  readonly environment: Readonly<Record<string, string>>;
  /** The header for a reference to a credential; asked for each request and never kept. */
  authorization(reference: string, origin: string): Promise<string | undefined>;
}

type Target = Parameters<Upstreams['connect']>[0];

export function createUpstreams(use: UpstreamMeans): Upstreams {
  const groups = new ProgramGroups();
  return {
    connect: (target, signal) => connect(use, groups, target, signal),
    async close() {
      groups.close();
    },
  };
}

async function connect(
  use: UpstreamMeans,
  groups: ProgramGroups,
  target: Target,
  signal: AbortSignal | undefined,
): Promise<UpstreamLink> {
  const { limits } = target;
  const state: { surface?: ProviderSurface; readAt: number } = { readAt: Number.NEGATIVE_INFINITY };
  const connection = new Connection(() => {
    state.readAt = Number.NEGATIVE_INFINITY;
  });
  const wire = await openWire(use, groups, target, connection);
  const giveUp = (): void => connection.end('nobody waits for it any more');
  signal?.addEventListener('abort', giveUp, { once: true });
  if (signal?.aborted) giveUp();
  let greeting: Greeting;
  try {
    greeting = await connection.begin(wire, limits.connectMs);
    if ('listen' in wire && greeting.revision !== '2026-07-28') (wire as HttpWire).listen();
  } catch (error) {
    await connection.close();
    throw error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
  let reading: Promise<ProviderSurface> | undefined;
  const read = async (): Promise<ProviderSurface> => {
    // What changes while it is being read is read once more the next time.
    const begunAt = use.clock.now();
    state.readAt = begunAt;
    state.surface = await readSurface(connection, greeting, { timeoutMs: limits.discoveryMs });
    return state.surface;
  };
  return {
    get ended() {
      return connection.ended;
    },
    async surface(maxAgeMs) {
      if (state.surface && use.clock.now() - state.readAt <= maxAgeMs && maxAgeMs > 0) return state.surface;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    call: ({ tool, input, timeoutMs, signal, onProgress }) =>
      connection.request('tools/call', { name: tool, arguments: input }, { timeoutMs, signal, onProgress }),
    ask: ({ method, params, ...options }) => connection.request(method, params, options),
    close: () => connection.close(),
    get processes() {
      return wire.processes;
    },
    stderr: () => wire.stderr(),
  };
}

async function openWire(
  use: UpstreamMeans,
  groups: ProgramGroups,
  target: Target,
  connection: Connection,
): Promise<Wire> {
  const { transport, credentialRef } = target;
  if (transport.kind === 'stdio_command')
    return openStdio({ environment: use.environment, groups }, transport, connection);
  const { origin } = new URL(transport.url);
  return openHttp(transport, connection, async () =>
    credentialRef === null ? undefined : use.authorization(credentialRef, origin),
  );
}
