/** Waits on this machine for the browser to bring the answer of an authorization server. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AnswerDesk {
  readonly redirectUri: string;
  /** The first answer with this state; everything else is turned away. */
  answer(state: string, timeoutMs: number): Promise<Readonly<Record<string, string>>>;
  close(): void;
}

const PATH = '/callback';
const MAX_VALUE = 8_192;

/** At the number of this machine alone, at a port of the system's choosing unless one is wanted. */
export async function openAnswerDesk(port = 0): Promise<AnswerDesk> {
  const waiting: { state?: string; resolve?: (answer: Readonly<Record<string, string>>) => void } = {};
  const server = createServer((request, response) => {
    const { port: own } = server.address() as AddressInfo;
    const answer = readAnswer(request, `127.0.0.1:${own}`);
    if (!answer || waiting.state === undefined || answer.state !== waiting.state) {
      say(response, 400, 'This is not an answer that Sluice waits for.');
      return;
    }
    delete waiting.state;
    say(response, 200, 'Sluice has the answer. You can close this page and look at your terminal.');
    waiting.resolve?.(answer);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    answer: (state, timeoutMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('nobody answered in time')), timeoutMs);
        waiting.state = state;
        waiting.resolve = (answer) => {
          clearTimeout(timer);
          resolve(answer);
        };
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Each name once: of two values nobody could say which one was meant. */
function readAnswer(
  { method, url = '', headers }: IncomingMessage,
  host: string,
): Record<string, string> | undefined {
  if (method !== 'GET' || headers.host !== host || url.length > MAX_VALUE) return undefined;
  const { pathname, searchParams } = new URL(url, `http://${host}`);
  if (pathname !== PATH || new Set(searchParams.keys()).size !== searchParams.size) return undefined;
  return Object.fromEntries(searchParams);
}

function say(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(`${text}\n`);
}
