/**
 * Streamable HTTP: one URL for both protocol eras. Every request is checked once, in front; everything behind works on
 * what was checked.
 */
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { asSluiceError, SluiceError } from '../../kernel/errors.ts';
import { faultFields } from '../../kernel/log.ts';
import { createKnownEnvelopes } from './hot-call.ts';
import { refuseWith } from './http-answer.ts';
import { localNames } from './http-checks.ts';
import type { HttpOptions, HttpParts } from './http-parts.ts';
import { peerOf } from './http-peer.ts';
import { answerRequest } from './http-request.ts';
import { createLegacySessions } from './legacy-sessions.ts';
import { createOpenResponses } from './open-responses.ts';
import { createProtocolServer } from './protocol-server.ts';

/** When a right ends, answers that say so get this long to leave; the law is one second. */
const GRACE_MS = 250;
/** When the server stops, answers to calls that ended get this long to leave. */
const LEAVE_MS = 2_000;

export interface HttpSurface {
  readonly url: string;
  readonly port: number;
  readonly sessions: number;
  /** Accepts nothing new and ends streams; calls under way are the gateway's to finish. */
  stop(): void;
  close(): Promise<void>;
}

export async function serveHttp(options: HttpOptions): Promise<HttpSurface> {
  const { gateway, clock, log } = options;
  const responses = createOpenResponses();
  const build = () => createProtocolServer(gateway, 'legacy', peerOf);
  const sessions = createLegacySessions({ gateway, clock, log, build });
  const modern = createMcpHandler(() => createProtocolServer(gateway, 'modern', peerOf), {
    legacy: 'reject',
  });
  const listens = new Set<() => void>();
  const parts: HttpParts = {
    ...options,
    sessions,
    responses,
    modern,
    listens,
    localNames: localNames(options.allowedHosts),
    envelopes: createKnownEnvelopes(),
  };

  const endStreams = (credential?: string): void => {
    responses.end(credential, GRACE_MS);
    sessions.end(credential, GRACE_MS);
  };
  const stopFollowing = gateway.onChange((change) => {
    if (change.kind === 'revoked') endStreams(change.credential);
    if (change.kind === 'switched' && !change.enabled) endStreams();
  });

  const server = createServer({ connectionsCheckingInterval: 1_000 }, (request, response) => {
    answerRequest(parts, request, response).catch((error: unknown) => {
      const failure = asSluiceError(error);
      if (failure.code === 'internal') log.error('request_failed', faultFields(failure));
      refuseWith(response, failure);
    });
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}/mcp`,
    get sessions() {
      return sessions.count;
    },
    stop() {
      stopFollowing();
      for (const end of listens) end();
      server.close();
      server.closeIdleConnections();
    },
    async close() {
      await responses.settled(LEAVE_MS);
      sessions.end(undefined, 0);
      await modern.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        if (server.listening) server.close(() => resolve());
        else resolve();
      });
    },
  };
}

async function listen(server: HttpServer, { host, port, maxConnections }: HttpOptions): Promise<void> {
  // A sender that takes longer than this over its headers or body holds a connection for nothing.
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 65_000;
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? 'is in use; choose another with --port'
          : `cannot be used (${error.code})`;
      reject(new SluiceError('unavailable', `${host}:${port} ${reason}`, {}, error));
    });
    server.listen(port, host, () => resolve());
  });
}
