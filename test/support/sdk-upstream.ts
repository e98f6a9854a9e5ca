/** An upstream server made with the newest SDK, as its documentation shows it, over stdio or at a port. */
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** The path of this file, to be run with the same Node.js as the tests. */
export const SDK_UPSTREAM = import.meta.filename;

function newServer(): McpServer {
  const server = new McpServer({ name: 'sdk-upstream', version: '1.0.0' });
  const about = { description: 'Adds two numbers', annotations: { readOnlyHint: true } };
  const [inputSchema, outputSchema] = [
    z.object({ a: z.number(), b: z.number() }),
    z.object({ sum: z.number() }),
  ];
  server.registerTool('add', { ...about, inputSchema, outputSchema }, async ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
    structuredContent: { sum: a + b },
  }));
  return server;
}

if (import.meta.main) {
  const [port] = process.argv.slice(2);
  if (port === undefined) serveStdio(newServer);
  else {
    const handle = toNodeHandler(createMcpHandler(newServer));
    createServer((request, response) => void handle(request as never, response)).listen(
      Number(port),
      '127.0.0.1',
    );
  }
}
