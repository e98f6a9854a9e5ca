/** Sessions of the older protocol, each with a server of its own, as the SDK wants them. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { isInitializeRequest, type McpServer } from '@modelcontextprotocol/server';

export interface Sessions {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  servers(): readonly McpServer[];
}

export function createSessions(newServer: () => McpServer): Sessions {
  const open = new Map<string, { transport: NodeStreamableHTTPServerTransport; server: McpServer }>();
  const begin = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const server = newServer();
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void open.set(id, { transport, server }),
    });
    transport.onclose = () => void open.delete(transport.sessionId ?? '');
    for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const)
      server.server.setRequestHandler(method, async () => ({}));
    await server.connect(transport);
    return transport;
  };
  return {
    servers: () => [...open.values()].map(({ server }) => server),
    async handle(request, response, body) {
      const known = open.get(String(request.headers['mcp-session-id']));
      if (known) return known.transport.handleRequest(request, response, body);
      if (isInitializeRequest(body)) return (await begin()).handleRequest(request, response, body);
      const error = { code: -32_000, message: 'There is no such session' };
      const status = request.headers['mcp-session-id'] === undefined ? 400 : 404;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    },
  };
}
