/** MCP over a byte stream, one message a line: standard input and output, or a Unix socket. */
import type { Duplex } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { asSluiceError, errorRow, SluiceError } from '../../kernel/errors.ts';
import { parseStrictJson } from './strict-json.ts';

export interface StreamEvents {
  /** A line that is no message, or is larger than a message may be. */
  onRefused(error: SluiceError): void;
  onReceived(message: unknown, bytes: number): void;
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
    const room = this.#stream.write(`${JSON.stringify(message)}\n`);
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
    const [text, skipped] = [Buffer.concat(this.#pending).toString('utf8').trim(), this.#skipping];
    const bytes = this.#pendingBytes;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#skipping = false;
    if (skipped) {
      this.#refuse(new SluiceError('payload_too_large', `The message is larger than ${this.#limit} bytes`));
    } else if (text !== '') {
      this.#deliver(text, bytes);
    }
  }

  #deliver(text: string, bytes: number): void {
    let message: unknown;
    try {
      message = parseStrictJson(text);
    } catch (error) {
      this.#refuse(asSluiceError(error));
      return;
    }
    this.#events.onReceived(message, bytes);
    if (isRequest(message)) this.#asked.add(message.id);
    this.onmessage?.(message as JSONRPCMessage);
  }

  #refuse(error: SluiceError): void {
    this.#events.onRefused(error);
    const { mcp } = errorRow(error.code);
    const code = mcp === 'result' ? -32603 : mcp.modern;
    const answer = {
      jsonrpc: '2.0',
      id: null,
      error: { code, message: error.message, data: error.toWire() },
    };
    void this.send(answer as unknown as JSONRPCMessage);
  }
}

const isRequest = (message: unknown): message is { readonly id: unknown } =>
  typeof message === 'object' && message !== null && 'id' in message && 'method' in message;
