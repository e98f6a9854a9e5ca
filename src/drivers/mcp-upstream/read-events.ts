/** Reads a stream of server-sent events, one bounded message after the other. */
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import { MAX_MESSAGE_BYTES, type Message, parseMessage } from './wire.ts';

export async function readEvents(
  stream: AsyncIterable<Buffer> & { destroy(): unknown },
  receive: (message: Message) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let [line, data] = ['', ''];
  const take = (text: string): void => {
    if (text === '') {
      const message = data === '' ? undefined : parseMessage(data);
      data = '';
      if (message) receive(message);
    } else if (text.startsWith('data:')) {
      data += `${data === '' ? '' : '\n'}${text.slice(text[5] === ' ' ? 6 : 5)}`;
    }
  };
  for await (const part of stream) {
    line += decoder.decode(part, { stream: true });
    const lines = line.split(/\r\n|\n|\r(?!$)/);
    line = lines.pop() ?? '';
    for (const one of lines) take(one);
    if (line.length + data.length <= MAX_MESSAGE_BYTES) continue;
    stream.destroy();
    throw new UpstreamFailure('too_large', `It answered with more than ${MAX_MESSAGE_BYTES} bytes`, true);
  }
  take(line.replace(/\r$/, ''));
  take('');
}
