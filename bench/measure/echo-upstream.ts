/** The upstream server behind every gateway: one tool that says what it was told, over stdio or at a port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

const tool = {
  name: 'echo',
  description: 'Says what it was told.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
};

function answer(line: string): string | undefined {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return undefined;
  const say = (result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result });
  if (method === 'tools/call')
    return say({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] });
  if (method === 'tools/list') return say({ tools: [tool] });
  if (method === 'ping') return say({});
  if (method === 'initialize')
    return say({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'echo', version: '1.0.0' },
    });
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
}

if (process.argv[2] === 'http') {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = request.method === 'POST' ? answer(Buffer.concat(chunks).toString('utf8')) : undefined;
      const head = { 'content-type': 'application/json', 'mcp-session-id': 'one' };
      if (body === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
      else response.writeHead(200, { ...head, 'content-length': Buffer.byteLength(body) }).end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
  process.once('SIGTERM', () => process.exit(0));
} else {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const said = answer(line);
    if (said !== undefined) process.stdout.write(`${said}\n`);
  });
}
