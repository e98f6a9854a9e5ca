/**
 * Connections that are kept for the requests to come. One that the server closes may be the end of that server, and the
 * next one may not know us: better found out by a question than by a call that must not be made twice.
 */
import type { ClientRequest } from 'node:http';

export function onKeptClosed(asked: ClientRequest, closed: () => void): void {
  asked.once('response', ({ socket }) => {
    if (asked.shouldKeepAlive && !asked.reusedSocket) socket.once('close', closed);
  });
}
