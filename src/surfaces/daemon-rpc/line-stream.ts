/** JSON messages over a socket, one a line, both ways. */
import type { Duplex } from 'node:stream';
import { SluiceError } from '../../kernel/errors.ts';

const MAX_LINE = 32 * 1024 * 1024;

/** Calls back for each line; stops at the first one that is no JSON, and hands back what came after a `stop`. */
export function readLines(
  stream: Duplex,
  onLine: (message: unknown) => 'more' | 'stop',
  onFault: (error: SluiceError) => void,
): void {
  let pending: Buffer = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (let end = pending.indexOf(10); end >= 0; end = pending.indexOf(10)) {
      const line = pending.subarray(0, end).toString('utf8');
      pending = pending.subarray(end + 1);
      const message = parse(line);
      if (message === undefined) {
        stream.off('data', take);
        onFault(new SluiceError('parse_error', 'The line is not JSON'));
        return;
      }
      if (onLine(message) === 'more') continue;
      stream.off('data', take);
      stream.pause();
      if (pending.length > 0) stream.unshift(pending);
      return;
    }
    if (pending.length > MAX_LINE) {
      stream.off('data', take);
      onFault(new SluiceError('payload_too_large', `A line is longer than ${MAX_LINE} bytes`));
    }
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
