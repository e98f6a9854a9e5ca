/**
 * Carries MCP between a client's own streams and a connection to whoever has the home open. The connection may be
 * lost and replaced: what was asked and not answered is then answered with an error, and the client's handshake
 * is made again on its behalf, so that it need not notice.
 */
import type { Duplex, Readable, Writable } from 'node:stream';
import { SluiceError } from '../../kernel/errors.ts';

export interface Relay {
  /** Carries until one side ends: the `client`, which is the end, or the `connection`, which may be replaced. */
  over(connection: Duplex): Promise<'client' | 'connection'>;
}

const NEWLINE = 10;
const INTERNAL_ERROR = -32603;

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown };
}

/** What the client said to open its session, to be said again. */
interface Handshake {
  readonly id: unknown;
  readonly lines: Buffer[];
}

export function createRelay(input: Readable, output: Writable): Relay {
  const said = linesOf(input);
  /** Asked for already, also when the connection it was meant for is gone. */
  let upcoming: Promise<IteratorResult<Buffer>> | undefined;
  const asked = new Set<unknown>();
  let handshake: Handshake | undefined;

  const noteAsked = (line: Buffer): void => {
    const { id, method, params } = readMessage(line);
    if (typeof method !== 'string') return;
    if (method === 'initialize') handshake = { id, lines: [line] };
    if (method === 'notifications/initialized') handshake?.lines.push(line);
    if (method === 'notifications/cancelled') asked.delete(params?.requestId);
    if (id !== undefined) asked.add(id);
  };

  const pass = (line: Buffer, connection: Duplex): void => {
    const { id, method } = readMessage(line);
    if (method === undefined && id !== undefined && !asked.delete(id) && id === handshake?.id) return;
    if (output.write(Buffer.concat([line, Buffer.from('\n')]))) return;
    connection.pause();
    output.once('drain', () => connection.resume());
  };

  const answerLost = (): void => {
    const { message, ...data } = new SluiceError(
      'unavailable',
      'The connection to Sluice was lost before the answer came; look before you try again',
    ).toWire();
    for (const id of asked) {
      const error = { code: INTERNAL_ERROR, message, data: { ...data, message } };
      output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
    }
    asked.clear();
  };

  return {
    async over(connection) {
      const lost = new Promise<'lost'>((resolve) => {
        connection.once('close', () => resolve('lost'));
        connection.on('error', () => connection.destroy());
      });
      for (const line of handshake?.lines ?? []) connection.write(withNewline(line));
      splitLines(connection, (line) => pass(line, connection));
      connection.resume();
      for (;;) {
        upcoming ??= said.next();
        const next = await Promise.race([upcoming, lost]);
        if (next === 'lost') break;
        upcoming = undefined;
        if (next.done) {
          connection.end();
          await lost;
          answerLost();
          return 'client';
        }
        noteAsked(next.value);
        if (!connection.write(withNewline(next.value))) await Promise.race([drained(connection), lost]);
      }
      answerLost();
      return 'connection';
    },
  };
}

const withNewline = (line: Buffer): Buffer => Buffer.concat([line, Buffer.from([NEWLINE])]);

const drained = (stream: Writable): Promise<void> =>
  new Promise((resolve) => {
    stream.once('drain', resolve);
  });

function readMessage(line: Buffer): Message {
  try {
    const message: unknown = JSON.parse(line.toString('utf8'));
    return typeof message === 'object' && message !== null ? message : {};
  } catch {
    // Not a message; whoever is at the other end says so.
    return {};
  }
}

function splitLines(stream: Readable, onLine: (line: Buffer) => void): void {
  let pieces: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      onLine(Buffer.concat([...pieces, rest.subarray(0, end)]));
      pieces = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) pieces.push(rest);
  });
}

/** Line by line as they are asked for; reading stops while nobody asks. */
async function* linesOf(stream: Readable): AsyncGenerator<Buffer, undefined> {
  let pieces: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield Buffer.concat([...pieces, rest.subarray(0, end)]);
      pieces = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) pieces.push(rest);
  }
  if (pieces.length > 0) yield Buffer.concat(pieces);
  return undefined;
}
