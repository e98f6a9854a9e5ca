/** The floor of gateways: hands every request on and its answer back, and looks at nothing but ids. */
import { spawn } from 'node:child_process';
import { Agent, request as ask, createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

const [kind, ...target] = process.argv.slice(2);
const waiting = new Map<number, { id: unknown; response: ServerResponse }>();
const program =
  kind === 'stdio'
    ? spawn(target[0] ?? '', target.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
    : undefined;
const agent = new Agent({ keepAlive: true });
let next = 0;

if (program)
  createInterface({ input: program.stdout }).on('line', (line) => {
    const { id, ...answer } = JSON.parse(line);
    const asked = waiting.get(id);
    waiting.delete(id);
    asked?.response.writeHead(200, { 'content-type': 'application/json' });
    asked?.response.end(JSON.stringify({ ...answer, id: asked.id }));
  });

const server = createServer(async (request, response) => {
  if (!program) {
    const { headers, method } = request;
    request.pipe(
      ask(target[0] ?? '', { agent, headers, method: method ?? 'POST' }, (answer) =>
        answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers)),
      ),
    );
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  next += 1;
  waiting.set(next, { id: message.id, response });
  program.stdin.write(`${JSON.stringify({ ...message, id: next })}\n`);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.once('SIGTERM', () => {
  program?.kill();
  process.exit(0);
});
