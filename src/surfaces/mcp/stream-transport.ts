/** MCP over a byte stream, one message a line: standard input and output, or a Unix socket. */
import type { Duplex } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { asSluiceError, errorRow, SluiceError } from '../../kernel/errors.ts';
import { decodeStrictly, parseStrictJson } from './strict-json.ts';

export interface StreamEvents {
  /** A line that is no message, or is larger than a message may be. It is answered when this resolves. */
  onRefused(error: SluiceError): Promise<void>;
  /** An error in answer means that the message goes no further and is answered with it. */
  onReceived(message: JSONRPCMessage): Promise<SluiceError> | undefined;
  /** What is said, in the form it leaves in. */
  encode(message: JSONRPCMessage): JSONRPCMessage;
}

const NEWLINE = 10;

export class StreamTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #stream: Duplex;
  readonly #limit: number;
  readonly #events: StreamEvents;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #skipping = false;
  #ended = false;
  #closed = false;
  /** Requests that were delivered and not yet answered. */
  readonly #asked = new Set<unknown>();

  constructor(stream: Duplex, limit: number, events: StreamEvents) {
    this.#stream = stream;
    this.#limit = limit;
    this.#events = events;
  }

  async start(): Promise<void> {
    this.#stream.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#stream.on('end', () => this.#finish());
    this.#stream.on('close', () => void this.close());
    this.#stream.on('error', (error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return;
    const room = this.#stream.write(`${JSON.stringify(this.#events.encode(message))}\n`);
    if ('id' in message && !('method' in message)) this.#asked.delete(message.id);
    if (this.#ended) this.#finish();
    if (room) return;
    await new Promise<void>((resolve) => {
      this.#stream.once('drain', resolve);
      this.#stream.once('close', resolve);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream.end();
    this.onclose?.();
  }

  /** A client that has said everything still gets the answers to what it asked. */
  #finish(): void {
    this.#ended = true;
    if (this.#asked.size === 0) void this.close();
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE, start); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** What goes beyond the limit is not kept; the rest of its line is passed over. */
  #keep(piece: Buffer): void {
    if (this.#skipping || piece.length === 0) return;
    this.#pendingBytes += piece.length;
    if (this.#pendingBytes <= this.#limit) {
      this.#pending.push(piece);
      return;
    }
    this.#pending = [];
    this.#skipping = true;
  }

  #endLine(): void {
    const line = Buffer.concat(this.#pending);
    const skipped = this.#skipping;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#skipping = false;
    if (skipped) {
      this.#refuse(new SluiceError('payload_too_large', `The message is larger than ${this.#limit} bytes`));
    } else if (line.length > 0) {
      this.#receive(line);
    }
  }

  #receive(line: Buffer): void {
    const text = decodeStrictly(line)?.trim();
    if (text === '') return;
    let message: unknown;
    try {
      if (text === undefined) throw new SluiceError('parse_error', 'The message is not UTF-8');
      message = parseStrictJson(text);
    } catch (error) {
      this.#refuse(asSluiceError(error));
      return;
    }
    if (isMessage(message)) this.#deliver(message);
    else
      this.#refuse(new SluiceError('invalid_request', 'The line is not a JSON-RPC message'), INVALID_REQUEST);
  }

  #deliver(message: JSONRPCMessage): void {
    const refused = this.#events.onReceived(message);
    const id = 'id' in message ? message.id : undefined;
    if (refused) {
      this.#answerLater(refused, id ?? null);
      return;
    }
    if ('method' in message && id !== undefined) this.#asked.add(id);
    // Nobody answers what was given up.
    const { method, params } = 'method' in message ? message : { method: undefined, params: undefined };
    if (method === 'notifications/cancelled') this.#asked.delete(params?.requestId);
    this.onmessage?.(message);
  }

  #refuse(error: SluiceError, code?: number): void {
    const recorded = this.#events.onRefused(error);
    this.#answerLater(
      recorded.then(() => error),
      null,
      code,
    );
  }

  #answerLater(refused: Promise<SluiceError>, id: unknown, code?: number): void {
    this.#asked.add(refused);
    void refused.then((error) => {
      this.#asked.delete(refused);
      this.#answer(error, id, code);
    });
  }

  #answer(error: SluiceError, id: unknown, code?: number): void {
    const { mcp } = errorRow(error.code);
    const answer = {
      jsonrpc: '2.0',
      id,
      error: {
        code: code ?? (mcp === 'result' ? -32603 : mcp.modern),
        message: error.message,
        data: error.toWire(),
      },
    };
    void this.send(answer as unknown as JSONRPCMessage);
  }
}

/** JSON-RPC's own code for JSON that is no request. */
const INVALID_REQUEST = -32600;

const isMessage = (value: unknown): value is JSONRPCMessage =>
  isJSONRPCRequest(value) ||
  isJSONRPCNotification(value) ||
  isJSONRPCResultResponse(value) ||
  isJSONRPCErrorResponse(value);
