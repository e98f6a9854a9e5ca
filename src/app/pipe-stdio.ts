/** Connects standard input and output with a running Sluice, or with one of this process's own if none runs. */
import type { Socket } from 'node:net';
import { homeLayout } from '../drivers/home/home-layout.ts';
import { asSluiceError, SluiceError } from '../kernel/errors.ts';
import { connectMcp } from '../surfaces/daemon-rpc/client.ts';
import { createRelay } from '../surfaces/mcp/relay.ts';
import type { AppOptions } from './compose.ts';
import { type Daemon, startDaemon } from './serve.ts';

export interface StdioWish {
  readonly client: string;
  readonly names: 'dotted' | 'underscore' | undefined;
}

const START_WAIT_MS = 15_000;
/** Whoever lost the connection lets others have the home first: a server that is about to start, for example. */
const PATIENCE_MS = 1_500;

/**
 * Resolves when the client closes its end. Whoever has the home open may go away before that: then the next one
 * who has it is looked for, and if there is none this process becomes it.
 */
export async function pipeStdio(options: AppOptions, wish: StdioWish): Promise<void> {
  const relay = createRelay(process.stdin, process.stdout);
  // A client that reads no more has gone; there is nobody left to tell.
  process.stdout.on('error', () => process.stdin.destroy());
  try {
    for (let patienceMs = 0; ; patienceMs = PATIENCE_MS) {
      const { socket, own } = await reach(options, wish, patienceMs);
      const ended = await relay.over(socket);
      await own?.close();
      if (ended === 'client') return;
    }
  } finally {
    process.stdin.destroy();
  }
}

/** Whoever has the home's lock serves its socket, so a second program finds the first one there. */
async function reach(
  options: AppOptions,
  wish: StdioWish,
  patienceMs: number,
): Promise<{ socket: Socket; own?: Daemon }> {
  const path = homeLayout(options.home).socket;
  const begun = performance.now();
  let own: Daemon | undefined;
  try {
    for (;;) {
      const socket = await tryConnect(path, wish);
      if (socket) return own ? { socket, own } : { socket };
      const waitedMs = performance.now() - begun;
      if (waitedMs >= patienceMs) own = await tryStart(options);
      if (own) continue;
      if (waitedMs > START_WAIT_MS)
        throw new SluiceError('home_locked', 'The home is open elsewhere and does not answer');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } catch (error) {
    await own?.close();
    throw error;
  }
}

/** Undefined when nobody listens, or whoever does is just going away. */
async function tryConnect(path: string, { client, names }: StdioWish): Promise<Socket | undefined> {
  try {
    return await connectMcp(path, { client, ...(names && { names }) });
  } catch (error) {
    if (asSluiceError(error).code === 'unavailable') return undefined;
    throw error;
  }
}

/** Undefined when somebody else has the home's lock. */
async function tryStart(options: AppOptions): Promise<Daemon | undefined> {
  try {
    return await startDaemon({ ...options, http: false, lockWaitMs: 0 });
  } catch (error) {
    if (asSluiceError(error).code === 'home_locked') return undefined;
    throw error;
  }
}
