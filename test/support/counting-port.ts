/** A port of this machine that counts who knocks, at every address it has. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export interface CountingPort {
  readonly port: number;
  knocks(): number;
  close(): void;
}

export async function countingPort(): Promise<CountingPort> {
  let knocks = 0;
  const server = createServer((socket) => {
    knocks += 1;
    socket.destroy();
  });
  // Both families, where there are both.
  server.listen(0);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    knocks: () => knocks,
    close: () => server.close(),
  };
}
