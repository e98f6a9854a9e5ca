/** HTTP by hand over a plain socket, for everything that no client library would send. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Lower case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded from chunks where it came in chunks. */
  readonly body: string;
  /** The JSON-RPC message in it, whether it came plain or as a stream of events; undefined when there is none. */
  readonly message: RpcMessage | undefined;
}

export interface RpcMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

export interface RawRequest {
  readonly method?: string;
  readonly target?: string;
  /** As given: order, case and repetitions are kept. Host and Content-Length are added unless they are there. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

/** Opens a socket, sends the request and reads one whole answer. */
export async function rawRequest(port: number, request: RawRequest): Promise<RawAnswer> {
  return sendBytes(port, renderRequest(port, request));
}

export function renderRequest(port: number, request: RawRequest): Buffer {
  const { method = 'POST', target = '/mcp', headers = [], body = '' } = request;
  const bytes = Buffer.from(body);
  const has = (name: string): boolean => headers.some(([given]) => given.toLowerCase() === name);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(has('host') ? [] : [`Host: 127.0.0.1:${port}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(has('content-length') || has('transfer-encoding') ? [] : [`Content-Length: ${bytes.length}`]),
    ...(has('connection') ? [] : ['Connection: close']),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

/** Sends any bytes and reads one whole answer; status 0 when the connection ended without one. */
export async function sendBytes(port: number, bytes: Buffer): Promise<RawAnswer> {
  const socket = await openSocket(port);
  // A server that refuses early may close before it has read everything; the answer counts all the same.
  socket.on('error', () => undefined);
  socket.write(bytes);
  return readAnswer(socket);
}

export function openSocket(port: number, host = '127.0.0.1'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, allowHalfOpen: true }, () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** Reads until the answer is whole or the connection ends. */
export function readAnswer(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const done = (): void => {
      socket.destroy();
      resolve(parseAnswer(received));
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (isWhole(received)) done();
    });
    socket.once('end', done);
    socket.once('error', done);
    socket.once('close', done);
  });
}

function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = bytes.subarray(0, end).toString('latin1').toLowerCase();
  const length = /\r\ncontent-length: *(\d+)/.exec(head);
  if (length) return bytes.length >= end + 4 + Number(length[1]);
  return (
    head.includes('transfer-encoding: chunked') && bytes.subarray(-7).toString('latin1') === '\r\n0\r\n\r\n'
  );
}

function parseAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return { status: 0, headers: {}, body: bytes.toString('utf8'), message: undefined };
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  const rest = bytes.subarray(end + 4);
  const body = (headers['transfer-encoding'] === 'chunked' ? unchunk(rest) : rest).toString('utf8');
  return { status: Number(first.split(' ')[1]), headers, body, message: lastMessage(body) };
}

function unchunk(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) break;
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (!size) break;
    pieces.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(pieces);
}

/** Every message of a body, in order. */
export function messagesIn(body: string): RpcMessage[] {
  const texts = /^(event|data|:|id)/m.test(body)
    ? body.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))
    : [body];
  return texts.flatMap((text) => {
    try {
      return [JSON.parse(text) as RpcMessage];
    } catch {
      return [];
    }
  });
}

const lastMessage = (body: string): RpcMessage | undefined => messagesIn(body).at(-1);
