/** A server over Streamable HTTP: every message is a request of its own, whose answer is JSON or a stream of events. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Challenge, SentHeader } from '../../domain/providers/ports/custody-desk.ts';
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import type { HttpTransport } from '../../domain/providers/profile.ts';
import { checkUrl } from '../../domain/providers/profile.ts';
import { challengeOf } from './challenge.ts';
import { guardedLookup, literalProblem, reachOf } from './guarded-dial.ts';
import { readEvents, type StreamEnd } from './read-events.ts';
import { type Resuming, readResumable } from './resumed-stream.ts';
import {
  MAX_MESSAGE_BYTES,
  type Message,
  parseMessage,
  type SendOptions,
  type Wire,
  type WireListener,
} from './wire.ts';

/** How long a server may take to hear that its session is over. */
const FAREWELL_MS = 1_000;

export interface HttpWire extends Wire {
  /** Follows what the server says unasked until it ends; false when the server has no such stream. */
  listen(headers: Readonly<Record<string, string>>, onOpen: () => void): Promise<boolean>;
}

export interface WireAuth {
  /** Asked anew for every request, so that a credential is known only while it is sent. */
  header(): Promise<SentHeader | undefined>;
  /** True when there is another one by now. */
  refused(challenge: Challenge, sent: SentHeader | undefined): Promise<boolean>;
}

export function openHttp(
  { url: text, privateNetwork }: HttpTransport,
  listener: WireListener,
  auth: WireAuth,
): HttpWire {
  const url = checkUrl(text);
  const secure = url.protocol === 'https:';
  const reach = reachOf(url, privateNetwork);
  const lookup = guardedLookup(reach);
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
    const sent = await auth.header();
    const answer = await ask(method, body, options, sent);
    if (answer.statusCode !== 401 && answer.statusCode !== 403) return answer;
    const again = await auth.refused(challengeOf(answer), sent).catch((error: unknown) => {
      answer.destroy();
      throw error;
    });
    if (!again) return answer;
    answer.resume();
    return ask(method, body, options, await auth.header());
  };

  const ask = async (
    method: string,
    body: string | undefined,
    options: SendOptions,
    credential: SentHeader | undefined,
  ): Promise<IncomingMessage> => {
    const problem = literalProblem(url, reach);
    if (problem !== undefined) throw new UpstreamFailure('connect', problem, false);
    const headers = {
      accept: 'application/json, text/event-stream',
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...options.headers,
      ...(credential && { [credential.name]: credential.value }),
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

  return {
    perRequest: true,
    async send(message, options = {}) {
      const answer = await open('POST', JSON.stringify(message), options);
      const given = answer.headers['mcp-session-id'];
      if (typeof given === 'string' && message.method === 'initialize') session = given;
      await readAnswer(answer, message, listener, session !== undefined, {
        signal: options.signal,
        reopen: (id) =>
          open('GET', undefined, { ...options, headers: { ...options.headers, 'last-event-id': id } }),
      });
    },
    async listen(headers, onOpen) {
      const answer = await open('GET', undefined, { headers });
      onOpen();
      const streams = answer.statusCode === 200;
      // Answers come by the streams of their requests only.
      const hear = (message: Message): boolean => 'method' in message && listener.receive(message);
      if (streams) await readEvents(answer, hear).catch(() => undefined);
      else answer.resume();
      return streams;
    },
    async close() {
      if (session !== undefined)
        await open('DELETE', undefined, { signal: AbortSignal.timeout(FAREWELL_MS) }).then(
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
  again: Pick<Resuming, 'signal' | 'reopen'>,
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
    await readResumable(answer, { ...again, read: (one) => readEventsFor(asked, one, listener) });
    return;
  }
  const message = parseMessage(await readText(answer));
  // An error may come with any status; it is told by what it says.
  if (message && 'jsonrpc' in message && message.id === asked.id) listener.receive(message);
  // Some servers say so with 400, which also means that they did nothing.
  else if (asked.id !== undefined && inSession && (status === 404 || status === 400))
    throw new UpstreamFailure('ended', 'It does not know the session any more', false);
  else if (status === 401 || status === 403)
    throw new UpstreamFailure('connect', `It answered ${status}: it does not allow this`, false);
  else if (status >= 500) throw new UpstreamFailure('ended', `It answered ${status}`, true);
  else throw new UpstreamFailure('invalid', `It answered ${status} without a message`, true);
}

/** How long a stream may stay open after what it was for has come. */
const LINGER_MS = 1_000;

/** Each stream answers one request: what claims to answer another one's is not heard. */
async function readEventsFor(
  asked: Message,
  answer: IncomingMessage,
  listener: WireListener,
): Promise<StreamEnd | undefined> {
  let late: NodeJS.Timeout | undefined;
  let whole = asked.id === undefined;
  try {
    const end = await readEvents(answer, (message) => {
      if (!('method' in message) && message.id !== asked.id) return false;
      whole ||= !('method' in message);
      const answered = listener.receive(message, asked.id);
      if (answered) late ??= setTimeout(() => answer.destroy(), LINGER_MS).unref();
      return answered;
    });
    return whole ? undefined : end;
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

function unreachable(error: NodeJS.ErrnoException): UpstreamFailure {
  const private_ = error.message.includes('private network') ? error.message : undefined;
  // A connection that broke after it stood may have carried the request.
  const sent = error.code === 'ECONNRESET' || error.code === 'EPIPE';
  return new UpstreamFailure(
    sent ? 'ended' : 'gone',
    private_ ?? `It could not be reached (${error.code ?? 'unknown'})`,
    sent,
  );
}
