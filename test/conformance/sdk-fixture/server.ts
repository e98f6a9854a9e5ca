/** A server with everything the suite asks for, made with the SDK and nothing of ours, at a port of this machine. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { ConformanceServer } from '../fixture/server.ts';
import { createSessions } from './legacy-sessions.ts';
import { type Changed, newServer } from './new-server.ts';

/** `older` knows nothing of the newer protocol, as most servers do. */
type Knows = 'both' | 'older';

export async function startSdkServer(knows: Knows = 'both'): Promise<ConformanceServer> {
  const modern = createMcpHandler(() => newServer(changed), { legacy: 'reject' });
  const handle = toNodeHandler(modern);
  const sessions = createSessions(() => newServer(changed));
  const changed: Changed = {
    tools() {
      modern.notify.toolsChanged();
      for (const server of sessions.servers()) server.sendToolListChanged();
    },
    prompts() {
      modern.notify.promptsChanged();
      for (const server of sessions.servers()) server.sendPromptListChanged();
    },
  };
  const [okHost, okOrigin] = [localhostHostValidation(), localhostOriginValidation()];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!okHost(request, response) || !okOrigin(request, response)) return;
    const body = await bodyOf(request);
    const older =
      knows === 'older' ||
      (await isLegacyRequest(await toWebRequest(request as never, body ?? {}), body ?? {}));
    if (older) await sessions.handle(request, response, body);
    else await handle(request as never, response, body);
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections();
      server.close();
      await modern.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    // The SDK says what it thinks of that.
    return text;
  }
}
