/** Connects standard input and output with a running Sluice, or with one of this process's own if none runs. */
import type { Socket } from 'node:net';
import { homeLayout } from '../drivers/home/home-layout.ts';
import { asSluiceError, SluiceError } from '../kernel/errors.ts';
import { connectMcp } from '../surfaces/daemon-rpc/client.ts';
import type { AppOptions } from './compose.ts';
import { type Daemon, startDaemon } from './serve.ts';

export interface StdioWish {
  readonly client: string;
  readonly names: 'dotted' | 'underscore' | undefined;
}

const START_WAIT_MS = 15_000;

/** Resolves when the client closes its end or Sluice goes away. */
export async function pipeStdio(options: AppOptions, wish: StdioWish): Promise<void> {
  const { socket, own } = await reach(options, wish);
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('close', () => resolve());
      socket.once('error', reject);
    });
  } finally {
    process.stdin.unpipe(socket);
    process.stdin.destroy();
    await own?.close();
  }
}

/** Whoever has the home's lock serves its socket, so a second program finds the first one there. */
async function reach(options: AppOptions, wish: StdioWish): Promise<{ socket: Socket; own?: Daemon }> {
  const path = homeLayout(options.home).socket;
  const deadline = performance.now() + START_WAIT_MS;
  let own: Daemon | undefined;
  for (;;) {
    const socket = await connectMcp(path, { client: wish.client, ...(wish.names && { names: wish.names }) });
    if (socket) return own ? { socket, own } : { socket };
    try {
      own ??= await startDaemon({ ...options, http: false, lockWaitMs: 0 });
    } catch (error) {
      const failure = asSluiceError(error);
      if (failure.code !== 'home_locked' || performance.now() > deadline) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (performance.now() > deadline)
      throw new SluiceError('home_locked', 'The home is open elsewhere and does not answer');
  }
}
