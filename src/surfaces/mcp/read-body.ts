/** Reads a request's body up to a limit; beyond it nothing more is read or kept. */
import type { IncomingMessage } from 'node:http';
import { SluiceError } from '../../kernel/errors.ts';
import { decodeStrictly } from './strict-json.ts';

/** On every wire. */
export const BODY_LIMIT = 8 * 1024 * 1024;

export interface Body {
  readonly text: string;
  readonly bytes: number;
}

export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = (): void => {
      request.off('data', take);
      request.pause();
    };
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= limit) return;
      stop();
      reject(tooLarge(limit));
    };
    request.on('data', take);
    request.on('end', () => {
      const [whole = Buffer.alloc(0)] = chunks.length === 1 ? chunks : [Buffer.concat(chunks)];
      const text = decodeStrictly(whole);
      if (text === undefined) reject(new SluiceError('parse_error', 'The body is not UTF-8'));
      else resolve({ text, bytes });
    });
    request.on('error', reject);
    request.on('close', () => {
      // It closes after its end, too.
      if (!request.complete) reject(new SluiceError('cancelled', 'The client closed the connection'));
    });
  });
}

const tooLarge = (limit: number): SluiceError =>
  new SluiceError('payload_too_large', `The body is larger than ${limit} bytes`);
