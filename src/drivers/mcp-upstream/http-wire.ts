/** A server over Streamable HTTP: every message is a request of its own, whose answer is JSON or a stream of events. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Challenge, SentHeader } from '../../domain/providers/ports/custody-desk.ts';
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import type { HttpTransport } from '../../domain/providers/profile.ts';
import { checkUrl } from '../../domain/providers/profile.ts';
import { challengeOf } from './challenge.ts';
import { guardedLookup, literalProblem, reachOf } from './guarded-dial.ts';
import { readAnswer } from './http-answer.ts';
import { onKeptClosed } from './kept-sockets.ts';
import { readEvents } from './read-events.ts';
import type { Message, SendOptions, Wire, WireListener } from './wire.ts';

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
    try {
      if (!(await auth.refused(challengeOf(answer), sent))) return answer;
      answer.resume();
      return await ask(method, body, options, await auth.header());
    } catch (error) {
      answer.destroy();
      // However the second try ends, the first one has reached it.
      throw error instanceof UpstreamFailure ? error.asSent(true) : error;
    }
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
      let [given, reached] = [false, false];
      const taken = (): void => {
        reached = true;
      };
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
      asked.once('socket', (socket) => (socket.connecting ? socket.once('connect', taken) : taken()));
      onKeptClosed(asked, () => session !== undefined && listener.unsure());
      asked.once('response', (answer) => {
        answer.once('close', settle);
        resolve(answer);
      });
      asked.on('error', (error: NodeJS.ErrnoException) => {
        settle();
        reject(
          given ? new UpstreamFailure('cancelled', 'The call was given up', true) : lost(error, reached),
        );
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

/** Only where nobody took the connection nothing was sent; once it stood, whatever broke it may have come after. */
function lost(error: NodeJS.ErrnoException, reached: boolean): UpstreamFailure {
  const code = error.code ?? 'unknown';
  if (reached) return new UpstreamFailure('ended', `The connection to it broke (${code})`, true);
  const private_ = error.message.includes('private network') ? error.message : undefined;
  return new UpstreamFailure('gone', private_ ?? `It could not be reached (${code})`, false);
}
