/** One bounded request to an address that somebody else named: no redirect, no more than a page, no longer than a while. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { OAuthFailure } from '../../../domain/providers/ports/oauth-client.ts';
import { guardedLookup } from '../guarded-dial.ts';
import type { Place } from './surroundings.ts';

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;

export interface Asked {
  readonly step: OAuthFailure['step'];
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Fetched {
  readonly status: number;
  readonly answer: IncomingMessage;
  /** Undefined for what is no JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

export async function guardedFetch({ url, reach }: Place, asked: Asked): Promise<Fetched> {
  const { step, method = 'GET', headers = {}, body } = asked;
  const failed = (why: string): OAuthFailure => new OAuthFailure(step, `${url.origin} ${why}`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      headers: { accept: 'application/json', ...headers },
      lookup: guardedLookup(reach),
      agent: false,
      signal,
    });
    request.once('response', resolve);
    request.once('error', (error: NodeJS.ErrnoException) =>
      reject(failed(signal.aborted ? 'did not answer in time' : `could not be reached (${reasonOf(error)})`)),
    );
    request.end(body);
  });
  const status = answer.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    answer.destroy();
    throw failed(`answered ${status} and points somewhere else, which is not followed`);
  }
  return { status, answer, json: readObject(await readText(answer, failed)) };
}

const reasonOf = ({ code, message }: NodeJS.ErrnoException): string =>
  message.includes('private network') ? message : (code ?? 'unknown');

async function readText(answer: IncomingMessage, failed: (why: string) => OAuthFailure): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > MAX_BYTES) throw failed(`answered with more than ${MAX_BYTES} bytes`);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof OAuthFailure ? error : failed('broke its answer off');
  } finally {
    answer.destroy();
  }
  return Buffer.concat(parts).toString('utf8');
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
