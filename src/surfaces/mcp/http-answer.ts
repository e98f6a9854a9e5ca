/** Short answers of the HTTP front, before there is a call. */
import type { ServerResponse } from 'node:http';
import { errorRow, type SluiceError } from '../../kernel/errors.ts';

/** Errors of the protocol's own that have no row in our table. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(response, status, { jsonrpc: '2.0', id: null, error: { code: -32000, message } }, headers);
}

/** With the error's own status, or 200 where the answer is the protocol's and not HTTP's. */
export function refuseWith(
  response: ServerResponse,
  error: SluiceError,
  id: unknown = null,
  status?: 200,
): void {
  const { mcp, http, retry } = errorRow(error.code);
  const code = mcp === 'result' ? -32603 : mcp.modern;
  const body = { jsonrpc: '2.0', id, error: { code, message: error.message, data: error.toWire() } };
  send(response, status ?? http, body, retry === 'later' ? { 'retry-after': '1' } : {});
}

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(text);
}
