/** MCP for one caller over one stream; the era is what the client opens with. */
import type { Duplex } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Gateway, Grant } from '../../gateway/gateway.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { faultFields, type Log } from '../../kernel/log.ts';
import { BODY_LIMIT } from './http.ts';
import { malformedCall } from './malformed.ts';
import { createProtocolServer } from './protocol-server.ts';
import { StreamTransport } from './stream-transport.ts';

export interface StreamOptions {
  readonly gateway: Gateway;
  readonly log: Log;
  readonly grant: Grant;
  /** Names the connection; a client of a session era has its run by it. */
  readonly connection: string;
}

/** Ends with the stream, or when the caller's right or everything is switched off. */
export function serveStream(stream: Duplex, { gateway, log, grant, connection }: StreamOptions): void {
  const record = (what: string, code: ErrorCode): void => {
    gateway.recordRefusal({ kind: 'grant', grant }, connection, what, code).catch((error: unknown) => {
      log.warn('refusal_not_recorded', faultFields(error));
    });
  };
  const transport = new StreamTransport(stream, BODY_LIMIT, {
    onRefused: (error) => record('(request)', error.code),
    onReceived: (message) => {
      const malformed = malformedCall(message);
      if (malformed !== undefined) record(malformed, 'invalid_request');
    },
  });
  const handle = serveStdio(
    ({ era }) =>
      createProtocolServer(gateway, era, () => ({
        grant,
        source: connection,
        ...(era === 'legacy' && { session: connection }),
      })),
    { transport, onerror: (error) => log.debug('stream_error', faultFields(error)) },
  );
  const stopFollowing = gateway.onChange((change) => {
    if (change.kind === 'revoked' && change.credential === grant.credential) void handle.close();
  });
  stream.once('close', stopFollowing);
}
