/** A model behind the embeddings request of OpenAI, small enough for tests: texts are near that share characters. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmbeddingServer {
  readonly url: string;
  /** What came in, newest last. */
  readonly asked: { readonly authorization: string | undefined; readonly input: readonly string[] }[];
  /** Answers like this instead, until it is taken away. */
  instead: ((response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
}

const DIMENSIONS = 100;

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const asked: EmbeddingServer['asked'] = [];
  const server = createServer(async (request, response) => {
    const { input } = JSON.parse(await bodyOf(request)) as { input: string[] };
    asked.push({ authorization: request.headers.authorization, input });
    if (started.instead) return started.instead(response);
    if (request.url !== '/v1/embeddings') return void response.writeHead(404).end();
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
    // Nothing says that answers come in order.
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: data.reverse() }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const started: EmbeddingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    instead: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return started;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function vectorOf(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  for (const character of text.toLowerCase().replaceAll(/[\s.]/gu, ''))
    vector[(character.codePointAt(0) ?? 0) % DIMENSIONS] = 1;
  return vector;
}
