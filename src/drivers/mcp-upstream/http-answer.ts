/** What a server answers to one request over HTTP: a message, a stream of them, or a status that says enough. */
import type { IncomingMessage } from 'node:http';
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import { readEvents, type StreamEnd } from './read-events.ts';
import { type Resuming, readResumable } from './resumed-stream.ts';
import { MAX_MESSAGE_BYTES, type Message, parseMessage, type WireListener } from './wire.ts';

export async function readAnswer(
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
  else if (asked.id !== undefined && inSession && status === 404)
    throw new UpstreamFailure('forgotten', 'It does not know the session any more; call it again', true);
  // Some servers mean the same by 400, and others something else.
  else if (asked.id !== undefined && inSession && status === 400)
    throw new UpstreamFailure('ended', 'It answered 400', true);
  else if (status === 401 || status === 403)
    throw new UpstreamFailure('forbidden', `It answered ${status}: it does not allow this`, true);
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
