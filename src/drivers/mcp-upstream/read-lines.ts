/** Reads messages line by line, each bounded, and not without end from a program that answers nothing. */
import type { Readable } from 'node:stream';
import { MAX_MESSAGE_BYTES, MAX_UNASKED_BYTES, parseMessage, type WireListener } from './wire.ts';

export function readLines(
  stream: Readable,
  listener: WireListener,
  end: (reason: string, kind: 'too_large') => void,
): void {
  const parts: Buffer[] = [];
  let [held, unasked] = [0, 0];
  const stop = (reason: string): void => {
    stream.destroy();
    end(reason, 'too_large');
  };
  const take = (line: Buffer): void => {
    const message = parseMessage(line.toString('utf8'));
    // Some programs greet on standard output; what is no message is not for us.
    if (message && listener.receive(message)) unasked = 0;
    else unasked += line.length;
  };
  stream.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      const line = rest.subarray(0, at);
      take(parts.length === 0 ? line : Buffer.concat([...parts, line]));
      parts.length = 0;
      held = 0;
      rest = rest.subarray(at + 1);
    }
    if (rest.length > 0) parts.push(rest);
    held += rest.length;
    if (held > MAX_MESSAGE_BYTES) stop(`it sent a message of more than ${MAX_MESSAGE_BYTES} bytes`);
    else if (unasked > MAX_UNASKED_BYTES) stop('it does not stop talking without being asked');
  });
}
