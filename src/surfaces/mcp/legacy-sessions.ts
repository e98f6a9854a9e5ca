/**
 * Sessions of clients of the 2025 revisions and before. A session id is never authentication: each session
 * belongs to the principal that opened it and does not exist for anybody else.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  isInitializeRequest,
  type JSONRPCMessage,
  type Server,
} from '@modelcontextprotocol/server';
import type { Gateway, Grant } from '../../gateway/gateway.ts';
import type { ErrorCode, SluiceError } from '../../kernel/errors.ts';
import type { Log } from '../../kernel/log.ts';
import { createEventStore } from './event-store.ts';
import { holdRefusal } from './hold-refusal.ts';
import { refuse } from './http-answer.ts';
import { withLegacyCode } from './legacy-codes.ts';
import { serveSubscriptions, type ToldChanges, tellChanges } from './tell-changes.ts';

export interface LegacyRequest {
  readonly request: IncomingMessage & { auth?: AuthInfo };
  readonly response: ServerResponse;
  readonly grant: Grant;
  readonly body: unknown;
  /** What is known to be wrong with the message already; the SDK answers it. */
  readonly refused: { readonly what: string; readonly error: SluiceError } | undefined;
  /** Records that the request was turned away. */
  record(what: string, code: ErrorCode): Promise<void>;
}

export interface LegacySessions {
  handle(legacy: LegacyRequest): Promise<void>;
  /** Sessions of one credential, or all, are gone at once; answers on their way get `graceMs` to leave. */
  end(credential: string | undefined, graceMs: number): void;
  readonly count: number;
}

interface Session {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly principal: string;
  readonly credential: string;
  usedAt: number;
}

const MAX_SESSIONS = 1_000;
const MAX_PER_PRINCIPAL = 100;
const IDLE_MS = 60 * 60 * 1000;

/** How soon a client that lost its stream may come back for the rest. */
const RETRY_MS = 1_000;

export interface SessionMeans {
  readonly gateway: Gateway;
  readonly clock: { now(): number };
  readonly log: Log;
  build(): Server;
}

export function createLegacySessions(use: SessionMeans): LegacySessions {
  const { clock } = use;
  const sessions = new Map<string, Session>();

  const drop = (id: string, graceMs = 0): void => {
    const session = sessions.get(id);
    sessions.delete(id);
    if (!session) return;
    if (graceMs === 0) void session.transport.close();
    else setTimeout(() => void session.transport.close(), graceMs).unref();
  };

  /** The longest unused go first. */
  const makeRoom = (principal: string): void => {
    const byAge = [...sessions].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [id, session] of byAge) if (clock.now() - session.usedAt > IDLE_MS) drop(id);
    const own = byAge.filter(([id, session]) => session.principal === principal && sessions.has(id));
    for (const [id] of own.slice(0, Math.max(0, own.length - MAX_PER_PRINCIPAL + 1))) drop(id);
    for (const [id] of byAge) if (sessions.size >= MAX_SESSIONS) drop(id);
  };

  const open = async (grant: Grant, source: string): Promise<NodeStreamableHTTPServerTransport> => {
    makeRoom(grant.principal.id);
    const server = use.build();
    let told: ToldChanges | undefined;
    serveSubscriptions(server, () => told);
    server.onclose = () => told?.close();
    const transport = new SessionTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      retryInterval: RETRY_MS,
      onsessioninitialized: (id) => {
        told = tellChanges(use, server, { grant, source, session: id });
        sessions.set(id, {
          transport,
          principal: grant.principal.id,
          credential: grant.credential,
          usedAt: clock.now(),
        });
      },
      onsessionclosed: (id) => drop(id),
    });
    await server.connect(transport);
    transport.closeCancelled();
    return transport;
  };

  return {
    async handle({ request, response, grant, body, refused, record }) {
      const id = request.headers['mcp-session-id'];
      if (id === undefined) {
        if (request.method !== 'POST') {
          await record(`(${request.method})`, 'invalid_request');
          return refuse(response, 405, 'Method not allowed', { allow: 'POST' });
        }
        if (Array.isArray(body) || !isInitializeRequest(body)) {
          await record('(session)', 'invalid_request');
          return refuse(response, 400, 'A session id is required; begin with initialize');
        }
        return (await open(grant, request.socket.remoteAddress ?? 'unknown')).handleRequest(
          request,
          response,
          body,
        );
      }
      const session = typeof id === 'string' ? sessions.get(id) : undefined;
      if (session?.principal !== grant.principal.id) {
        await record('(session)', 'not_found');
        return refuse(response, 404, 'Session not found');
      }
      session.usedAt = clock.now();
      if (refused) await record(refused.what, refused.error.code);
      holdRefusal(response, () => record('(request)', 'invalid_request'));
      await session.transport.handleRequest(request, response, body);
    },
    end(credential, graceMs) {
      for (const [id, session] of sessions) {
        if (credential === undefined || session.credential === credential) drop(id, graceMs);
      }
    },
    get count() {
      return sessions.size;
    },
  };
}

class SessionTransport extends NodeStreamableHTTPServerTransport {
  override send(message: JSONRPCMessage, options?: Parameters<NodeStreamableHTTPServerTransport['send']>[1]) {
    return super.send(withLegacyCode(message), options);
  }

  /** A request that its client gave up is never answered; its stream would stay open as long as the session. */
  closeCancelled(): void {
    const deliver = this.onmessage;
    this.onmessage = (message, extra) => {
      deliver?.(message, extra);
      if (!('method' in message) || message.method !== 'notifications/cancelled') return;
      const given = message.params?.requestId;
      if (typeof given === 'string' || typeof given === 'number') this.closeSSEStream(given);
    };
  }
}
