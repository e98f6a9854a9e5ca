/**
 * Sessions of clients of the 2025 revisions and before. A session id is never authentication: each session
 * belongs to the principal that opened it and does not exist for anybody else.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { type AuthInfo, isInitializeRequest, type Server } from '@modelcontextprotocol/server';
import type { Grant } from '../../gateway/gateway.ts';
import { refuse } from './http-answer.ts';

export interface LegacySessions {
  handle(
    request: IncomingMessage & { auth?: AuthInfo },
    response: ServerResponse,
    grant: Grant,
    body: unknown,
  ): Promise<void>;
  /** Closes the sessions of one credential, or all. */
  end(credential?: string): void;
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

export function createLegacySessions(build: () => Server, clock: { now(): number }): LegacySessions {
  const sessions = new Map<string, Session>();

  const drop = (id: string): void => {
    const session = sessions.get(id);
    sessions.delete(id);
    void session?.transport.close();
  };

  /** The longest unused go first. */
  const makeRoom = (principal: string): void => {
    const byAge = [...sessions].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [id, session] of byAge) if (clock.now() - session.usedAt > IDLE_MS) drop(id);
    const own = byAge.filter(([id, session]) => session.principal === principal && sessions.has(id));
    for (const [id] of own.slice(0, Math.max(0, own.length - MAX_PER_PRINCIPAL + 1))) drop(id);
    for (const [id] of byAge) if (sessions.size >= MAX_SESSIONS) drop(id);
  };

  const open = async (grant: Grant): Promise<NodeStreamableHTTPServerTransport> => {
    makeRoom(grant.principal.id);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, {
          transport,
          principal: grant.principal.id,
          credential: grant.credential,
          usedAt: clock.now(),
        });
      },
      onsessionclosed: drop,
    });
    await build().connect(transport);
    return transport;
  };

  return {
    async handle(request, response, grant, body) {
      const id = request.headers['mcp-session-id'];
      if (id === undefined) {
        if (request.method !== 'POST') return refuse(response, 405, 'Method not allowed', { allow: 'POST' });
        const opens = !Array.isArray(body) && isInitializeRequest(body);
        if (!opens) return refuse(response, 400, 'A session id is required; begin with initialize');
        return (await open(grant)).handleRequest(request, response, body);
      }
      const session = typeof id === 'string' ? sessions.get(id) : undefined;
      if (session?.principal !== grant.principal.id) return refuse(response, 404, 'Session not found');
      session.usedAt = clock.now();
      await session.transport.handleRequest(request, response, body);
    },
    end(credential) {
      for (const [id, session] of sessions) {
        if (credential === undefined || session.credential === credential) drop(id);
      }
    },
    get count() {
      return sessions.size;
    },
  };
}
