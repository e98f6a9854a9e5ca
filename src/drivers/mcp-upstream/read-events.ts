/** Reads a stream of server-sent events, one bounded message after the other. */
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import { MAX_MESSAGE_BYTES, MAX_UNASKED_BYTES, type Message, parseMessage } from './wire.ts';

export async function readEvents(
  stream: AsyncIterable<Buffer> & { destroy(): unknown },
  receive: (message: Message) => boolean,
): Promise<void> {
  const decoder = new TextDecoder();
  let [line, data] = ['', ''];
  let unasked = 0;
  const take = (text: string): void => {
    if (text === '') {
      const message = data === '' ? undefined : parseMessage(data);
      data = '';
      if (message && receive(message)) unasked = 0;
    } else if (text.startsWith('data:')) {
      data += `${data === '' ? '' : '\n'}${text.slice(text[5] === ' ' ? 6 : 5)}`;
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
}
