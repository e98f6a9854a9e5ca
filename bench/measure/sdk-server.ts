/** The SDK's own server with one tool and a bearer check, as its documentation shows it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const wanted = createHash('sha256').update('Bearer bench').digest();
const echo = z.object({ text: z.string() });

const handler = toNodeHandler(
  createMcpHandler(() => {
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    server.registerTool('echo', { inputSchema: echo, outputSchema: z.object({ echo }) }, async (input) => ({
      content: [{ type: 'text', text: JSON.stringify({ echo: input }) }],
      structuredContent: { echo: input },
    }));
    return server;
  }),
);
const server = createServer((request, response) => {
  const given = createHash('sha256')
    .update(request.headers.authorization ?? '')
    .digest();
  if (!timingSafeEqual(given, wanted)) response.writeHead(401).end();
  else void handler(request as never, response);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.once('SIGTERM', () => process.exit(0));
