/** The floor: an HTTP server that reads a JSON-RPC request and answers it, and nothing else. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const text = JSON.stringify({ echo: params.arguments });
    const result = { content: [{ type: 'text', text }], structuredContent: { echo: params.arguments } };
    const body = JSON.stringify({ jsonrpc: '2.0', id, result });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.once('SIGTERM', () => process.exit(0));
