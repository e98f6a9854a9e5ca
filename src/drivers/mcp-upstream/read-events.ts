/** Reads a stream of server-sent events, one bounded message after the other. */
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import { MAX_MESSAGE_BYTES, MAX_UNASKED_BYTES, type Message, parseMessage } from './wire.ts';

/** What a stream said about being taken up again. */
export interface StreamEnd {
  readonly lastId?: string;
  readonly retryMs?: number;
}

const MAX_FIELD = 1_024;

export async function readEvents(
  stream: AsyncIterable<Buffer> & { destroy(): unknown },
  receive: (message: Message) => boolean,
): Promise<StreamEnd> {
  const decoder = new TextDecoder();
  const end: { lastId?: string; retryMs?: number } = {};
  let [line, data] = ['', ''];
  let unasked = 0;
  const take = (text: string): void => {
    if (text === '') {
      const message = data === '' ? undefined : parseMessage(data);
      data = '';
      if (message && receive(message)) unasked = 0;
    } else if (text.startsWith('data:')) {
      data += `${data === '' ? '' : '\n'}${text.slice(text[5] === ' ' ? 6 : 5)}`;
    } else if (text.length <= MAX_FIELD && /^id: ?[\x21-\x7e]+$/.test(text)) {
      end.lastId = text.slice(3).trim();
    } else if (text.length <= MAX_FIELD && /^retry: ?\d{1,9}$/.test(text)) {
      end.retryMs = Number(text.slice(6));
    }
  };
  for await (const part of stream) {
    unasked += part.length;
    line += decoder.decode(part, { stream: true });
    const lines = line.split(/\r\n|\n|\r(?!$)/);
    line = lines.pop() ?? '';
    for (const one of lines) take(one);
    const most = line.length + data.length > MAX_MESSAGE_BYTES ? MAX_MESSAGE_BYTES : MAX_UNASKED_BYTES;
    if (most === MAX_UNASKED_BYTES && unasked <= most) continue;
    stream.destroy();
    throw new UpstreamFailure('too_large', `It answered with more than ${most} bytes`, true);
  }
  take(line.replace(/\r$/, ''));
  take('');
  return end;
}
