/** MCP for one caller over one stream; the era is what the client opens with. */
import type { Duplex } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Gateway, Grant } from '../../gateway/gateway.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { faultFields, type Log } from '../../kernel/log.ts';
import { withLegacyCode } from './legacy-codes.ts';
import { refusedMessage } from './message-checks.ts';
import { createProtocolServer } from './protocol-server.ts';
import { BODY_LIMIT } from './read-body.ts';
import { createListens } from './stream-listens.ts';
import { StreamTransport } from './stream-transport.ts';
import { serveSubscriptions, type ToldChanges, tellChanges } from './tell-changes.ts';
import type { Era } from './to-mcp.ts';

export interface StreamOptions {
  readonly gateway: Gateway;
  readonly log: Log;
  /** Who calls, as things stand now; throws when the caller may not connect, or not any more. */
  readonly grant: () => Grant;
  /** Names the connection; a client of a session era has its run by it. */
  readonly connection: string;
}

/** When a right ends, the answer that says so gets this long to leave. */
const GRACE_MS = 250;

/** Ends with the stream or with the caller's right. */
export function serveStream(stream: Duplex, options: StreamOptions): void {
  const { gateway, log, connection } = options;
  let grant = options.grant();
  let era: Era | undefined;
  let told: ToldChanges | undefined;
  const listens = createListens(() => told);
  const record = async (what: string, code: ErrorCode): Promise<void> => {
    try {
      await gateway.recordRefusal({ kind: 'grant', grant }, connection, what, code);
    } catch (error) {
      log.warn('refusal_not_recorded', faultFields(error));
    }
  };
  const transport = new StreamTransport(stream, BODY_LIMIT, {
    onRefused: (error) => record('(request)', error.code),
    onReceived(message) {
      const refused = refusedMessage(message, era);
      if (!refused) {
        if (era !== 'legacy') listens.see(message);
        return undefined;
      }
      const recorded = record(refused.what, refused.error.code);
      return refused.answeredByProtocol ? undefined : recorded.then(() => refused.error);
    },
    encode: (message) => (era === 'legacy' ? withLegacyCode(message) : message),
  });
  const handle = serveStdio(
    (opened) => {
      era = opened.era;
      const peer = () => ({ grant, source: connection, ...(era === 'legacy' && { session: connection }) });
      const server = createProtocolServer(gateway, opened.era, peer);
      told?.close();
      told = tellChanges({ gateway, log }, server, peer());
      if (opened.era === 'legacy') serveSubscriptions(server, () => told);
      return server;
    },
    { transport, onerror: (error) => log.debug('stream_error', faultFields(error)) },
  );
  const stopFollowing = gateway.onChange(() => {
    try {
      grant = options.grant();
    } catch {
      setTimeout(() => void handle.close(), GRACE_MS).unref();
    }
  });
  stream.once('close', () => {
    stopFollowing();
    told?.close();
  });
}
