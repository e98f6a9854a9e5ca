/** JSON messages over a socket, one a line, both ways. */
import type { Duplex } from 'node:stream';
import { SluiceError } from '../../kernel/errors.ts';

export const MAX_LINE = 32 * 1024 * 1024;
const NEWLINE = 10;

/** Calls back for each line; stops at the first one that is no JSON, and hands back what came after a `stop`. */
export function readLines(
  stream: Duplex,
  onLine: (message: unknown) => 'more' | 'stop',
  onFault: (error: SluiceError) => void,
): void {
  // Pieces of a line that is not whole yet; they are put together once, when it is.
  let pieces: Buffer[] = [];
  let bytes = 0;

  const stop = (rest?: Buffer): void => {
    stream.off('data', take);
    if (!rest) return;
    stream.pause();
    if (rest.length > 0) stream.unshift(rest);
  };

  const take = (chunk: Buffer): void => {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const message = parse(Buffer.concat([...pieces, rest.subarray(0, end)]).toString('utf8'));
      rest = rest.subarray(end + 1);
      [pieces, bytes] = [[], 0];
      if (message === undefined) {
        stop();
        onFault(new SluiceError('parse_error', 'The line is not JSON'));
        return;
      }
      if (onLine(message) === 'more') continue;
      stop(rest);
      return;
    }
    pieces.push(rest);
    bytes += rest.length;
    if (bytes <= MAX_LINE) return;
    stop();
    pieces = [];
    onFault(new SluiceError('payload_too_large', `A line is longer than ${MAX_LINE} bytes`));
  };
  stream.on('data', take);
}

export function writeLine(stream: Duplex, message: unknown): void {
  if (!stream.destroyed && stream.writable) stream.write(`${JSON.stringify(message)}\n`);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
