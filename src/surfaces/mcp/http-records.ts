/** The record of a request that was turned away before it became a call. */
import type { IncomingMessage } from 'node:http';
import type { Grant } from '../../gateway/gateway.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import type { HttpParts } from './http-parts.ts';
import { sourceOf } from './http-peer.ts';

export async function record(
  { gateway }: HttpParts,
  grant: Grant,
  request: IncomingMessage,
  what: string,
  code: ErrorCode,
): Promise<void> {
  await gateway.recordRefusal({ kind: 'grant', grant }, sourceOf(request), what, code);
}

/** For requests of which nobody knows whose they are. */
export async function turnAway(
  { gateway }: HttpParts,
  request: IncomingMessage,
  gate: 'host' | 'header',
  code: ErrorCode,
): Promise<void> {
  await gateway.recordTurnedAway('mcp-http', sourceOf(request), gate, code);
}
