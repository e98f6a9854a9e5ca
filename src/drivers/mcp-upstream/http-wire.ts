/** A server over Streamable HTTP: every message is a request of its own, whose answer is JSON or a stream of events. */
import { lookup as lookUp } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import type { HttpTransport } from '../../domain/providers/profile.ts';
import { checkUrl } from '../../domain/providers/profile.ts';
import { isLoopback, isPublicAddress } from './address-rules.ts';
import { readEvents } from './read-events.ts';
import {
  MAX_MESSAGE_BYTES,
  type Message,
  parseMessage,
  type SendOptions,
  type Wire,
  type WireListener,
} from './wire.ts';

export interface HttpWire extends Wire {
  /** Follows what the server says unasked; ends with the wire. */
  listen(): void;
}

export function openHttp(
  { url: text, privateNetwork }: HttpTransport,
  listener: WireListener,
  /** Asked anew for every request, so that a credential is known only while it is sent. */
  authorization: () => Promise<string | undefined>,
): HttpWire {
  const url = checkUrl(text);
  const secure = url.protocol === 'https:';
  const lookup = guardedLookup(privateNetwork || isLoopback(url.hostname));
  const agent = secure
    ? new HttpsAgent({ keepAlive: true, maxSockets: 64, lookup })
    : new HttpAgent({ keepAlive: true, maxSockets: 64, lookup });
  /** Gives up what is under way. */
  const under = new Set<() => void>();
  let session: string | undefined;

  const open = async (
    method: string,
    body: string | undefined,
    options: SendOptions,
  ): Promise<IncomingMessage> => {
    // A literal address is dialled without being looked up.
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) && !privateNetwork && !isLoopback(url.hostname) && !isPublicAddress(literal))
      throw new UpstreamFailure('connect', `${literal} is an address of a private network`, false);
    const token = await authorization();
    const headers = {
      accept: 'application/json, text/event-stream',
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...(token !== undefined && { authorization: token }),
      ...options.headers,
    };
    return new Promise((resolve, reject) => {
      // Not by the option: that stays with the socket, which serves others when this request is over.
      const asked = (secure ? httpsRequest : httpRequest)(url, { method, headers, agent });
      let given = false;
      const giveUp = (): void => {
        given = true;
        asked.destroy();
      };
      const settle = (): void => {
        under.delete(giveUp);
        options.signal?.removeEventListener('abort', giveUp);
      };
      under.add(giveUp);
      options.signal?.addEventListener('abort', giveUp, { once: true });
      asked.once('response', (answer) => {
        answer.once('close', settle);
        resolve(answer);
      });
      asked.on('error', (error: NodeJS.ErrnoException) => {
        settle();
        reject(given ? new UpstreamFailure('cancelled', 'The call was given up', true) : unreachable(error));
      });
      asked.end(body);
    });
  };

  const listen = async (): Promise<void> => {
    const answer = await open('GET', undefined, {});
    // Answers come by the streams of their requests only.
    if (answer.statusCode === 200)
      await readEvents(answer, (message) => 'method' in message && listener.receive(message));
    else answer.resume();
  };

  return {
    perRequest: true,
    async send(message, options = {}) {
      const answer = await open('POST', JSON.stringify(message), options);
      const given = answer.headers['mcp-session-id'];
      if (typeof given === 'string' && message.method === 'initialize') session = given;
      await readAnswer(answer, message, listener, session !== undefined);
    },
    listen() {
      // A server need not offer it; without it a change is seen when what was read gets old.
      listen().catch(() => undefined);
    },
    async close() {
      if (session !== undefined)
        await open('DELETE', undefined, {}).then(
          (answer) => answer.resume(),
          () => undefined,
        );
      for (const giveUp of under) giveUp();
      agent.destroy();
    },
    processes: [],
    stderr: () => '',
  };
}

async function readAnswer(
  answer: IncomingMessage,
  asked: Message,
  listener: WireListener,
  inSession: boolean,
): Promise<void> {
  const status = answer.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    answer.resume();
    throw new UpstreamFailure(
      'connect',
      `It answered ${status} and points somewhere else, which is not followed`,
      true,
    );
  }
  if (status === 202 || status === 204) {
    answer.resume();
    return;
  }
  if (answer.headers['content-encoding'] !== undefined && answer.headers['content-encoding'] !== 'identity') {
    answer.destroy();
    throw new UpstreamFailure('invalid', 'It answered in an encoding that was not asked for', true);
  }
  if (String(answer.headers['content-type']).startsWith('text/event-stream')) {
    await readEventsFor(asked, answer, listener);
    return;
  }
  const message = parseMessage(await readText(answer));
  // An error may come with any status; it is told by what it says.
  if (message && 'jsonrpc' in message && message.id === asked.id) listener.receive(message);
  // Some servers say so with 400, which also means that they did nothing.
  else if (asked.id !== undefined && inSession && (status === 404 || status === 400))
    throw new UpstreamFailure('ended', 'It does not know the session any more', false);
  else if (status === 401 || status === 403)
    throw new UpstreamFailure('connect', `It answered ${status}: it wants other credentials`, false);
  else if (status >= 500) throw new UpstreamFailure('ended', `It answered ${status}`, true);
  else throw new UpstreamFailure('invalid', `It answered ${status} without a message`, true);
}

/** How long a stream may stay open after what it was for has come. */
const LINGER_MS = 1_000;

/** Each stream answers one request: what claims to answer another one's is not heard. */
async function readEventsFor(asked: Message, answer: IncomingMessage, listener: WireListener): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  try {
    await readEvents(answer, (message) => {
      if (!('method' in message) && message.id !== asked.id) return false;
      const answered = listener.receive(message);
      if (answered) late ??= setTimeout(() => answer.destroy(), LINGER_MS).unref();
      return answered;
    });
  } finally {
    clearTimeout(late);
  }
}

async function readText(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_MESSAGE_BYTES) {
      answer.destroy();
      throw new UpstreamFailure('too_large', `It answered with more than ${MAX_MESSAGE_BYTES} bytes`, true);
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Every address a name stands for is checked when it is dialled, so that it cannot change in between. */
function guardedLookup(anyAddress: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const wrong = anyAddress ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
      if (wrong)
        return callback(
          new Error(`${hostname} leads to ${wrong.address}, an address of a private network`),
          '',
        );
      const [first] = addresses;
      if (options.all) return callback(null, addresses);
      return callback(null, first?.address ?? '', first?.family);
    });
  };
}

function unreachable(error: NodeJS.ErrnoException): UpstreamFailure {
  const private_ = error.message.includes('private network') ? error.message : undefined;
  // A connection that broke after it stood may have carried the request.
  const sent = error.code === 'ECONNRESET' || error.code === 'EPIPE';
  return new UpstreamFailure(
    sent ? 'ended' : 'connect',
    private_ ?? `It could not be reached (${error.code ?? 'unknown'})`,
    sent,
  );
}
