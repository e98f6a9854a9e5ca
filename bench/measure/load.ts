/** A lean load generator: some connections, each sending the same request again as soon as it was answered. */
import { connect, type Socket } from 'node:net';
import { median } from './table.ts';

export interface Load {
  readonly requests: number;
  readonly seconds: number;
  /** How long half of the requests took at most. */
  readonly p50Ms: number;
}

export interface Shot {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function applyLoad(port: number, shot: Shot, connections: number, ms: number): Promise<Load> {
  // An id for each connection: within a session answers are told apart by it.
  const bytes = Array.from({ length: connections }, (_, i) =>
    requestBytes(port, { ...shot, body: shot.body.replace('"id":1,', `"id":${i + 1},`) }),
  );
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const started = performance.now();
  const until = started + ms;
  const waits: number[] = [];
  await Promise.all(sockets.map((socket, i) => fire(socket, bytes[i] as Buffer, until, waits)));
  const seconds = (performance.now() - started) / 1000;
  for (const socket of sockets) socket.destroy();
  return { requests: waits.length, seconds, p50Ms: median(waits) };
}

function requestBytes(port: number, { path, headers, body }: Shot): Buffer {
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${head}\r\n${body}`);
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.setNoDelay(true);
    socket.once('error', reject);
  });
}

/** Notes how long each answer took; anything but 200 ends the benchmark, because it would measure refusals. */
function fire(socket: Socket, bytes: Buffer, until: number, waits: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let [pending, sentAt] = [Buffer.alloc(0) as Buffer, performance.now()];
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const end = endOfAnswer(pending);
      if (end < 0) return;
      if (!pending.subarray(9, 12).equals(OK)) reject(new Error(pending.toString('utf8').slice(0, 500)));
      pending = pending.subarray(end);
      const now = performance.now();
      waits.push(now - sentAt);
      sentAt = now;
      if (now < until) socket.write(bytes);
      else resolve();
    });
    socket.once('error', reject);
    socket.setTimeout(NO_ANSWER_MS, () => reject(new Error(`No answer within ${NO_ANSWER_MS} ms`)));
    socket.write(bytes);
  });
}

const NO_ANSWER_MS = 20_000;
const OK = Buffer.from('200');

/** Where the first answer ends, or −1: by its length, or by the empty chunk. */
function endOfAnswer(bytes: Buffer): number {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return -1;
  const headers = bytes.toString('latin1', 0, head).toLowerCase();
  const length = /content-length: (\d+)/.exec(headers);
  if (length) {
    const end = head + 4 + Number(length[1]);
    return bytes.length >= end ? end : -1;
  }
  const last = bytes.indexOf('0\r\n\r\n', head + 4);
  return last < 0 ? -1 : last + 5;
}
